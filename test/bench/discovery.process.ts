import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discover } from '#discovery';

/** In a fresh process: `discover` or `read`, the folder; prints the milliseconds and how many files there were. */
async function main([what, repo = '']: readonly string[]): Promise<void> {
  const since = performance.now();
  const count = what === 'discover' ? await discovered(repo) : await read(repo);
  const ms = performance.now() - since;
  process.stdout.write(JSON.stringify({ ms, count }));
}

async function discovered(repo: string): Promise<number> {
  const { agents, skills, diagnostics } = await discover({ repo, userFolder: null, builtIn: join(repo, 'none') });
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]));
  return agents.length + skills.length;
}

async function read(repo: string): Promise<number> {
  const entries = readdirSync(repo, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = await Promise.all(entries.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.length;
}

await main(process.argv.slice(2));
