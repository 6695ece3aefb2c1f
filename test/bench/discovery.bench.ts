import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '#testing';
import { atMost, type Bench, beside, type Figure } from './figure.js';
import { median } from './stats.js';

const AGENTS = 400;
const SKILLS = 100;
const BODY_LINES = 40;
const ROUNDS = 7;
const LIMIT_MS = 300;
const PROCESS = fileURLToPath(new URL('discovery.process.js', import.meta.url));

/** 500 agents and skills found in a fresh folder by a fresh process, beside reading the same files and nothing else. */
export const discovery: Bench = {
  name: 'discovery',
  run: async () => {
    const times = { own: [] as number[], plain: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.plain.push(await inFreshFolder('read'));
      times.own.push(await inFreshFolder('discover'));
    }
    return figures(times.own, times.plain);
  },
};

function figures(own: readonly number[], plain: readonly number[]): Figure[] {
  const unit = 'ms';
  const files = `${String(AGENTS)} agents and ${String(SKILLS)} skills`;
  const note = `${files}, each time in a fresh folder and a fresh process, median of ${String(ROUNDS)}; baseline: reading the files`;
  const slowest = { name: 'discovery.slowest', value: Math.max(...own), unit, baseline: Math.max(...plain) };
  return [
    atMost({ name: 'discovery.cold', value: median(own), unit, baseline: median(plain), note }, 'value', LIMIT_MS),
    beside({ ...slowest, note: 'the slowest of both' }),
  ];
}

async function inFreshFolder(what: 'discover' | 'read'): Promise<number> {
  const folder = tempFolder('bench-discovery');
  try {
    fill(folder.path);
    const said = execFileSync(process.execPath, [PROCESS, what, folder.path], { encoding: 'utf8' });
    const { ms, count } = JSON.parse(said) as { ms: number; count: number };
    if (count !== AGENTS + SKILLS) throw new Error(`${String(count)} were found`);
    return ms;
  } finally {
    await folder.remove();
  }
}

function fill(repo: string): void {
  for (let nth = 0; nth < AGENTS; nth += 1) {
    const name = `agent-${String(nth)}`;
    const more = `model: sonnet\ntools: Read, Grep, Glob\ncategory: kind-${String(nth % 20)}\nkeywords: [api, ui, test]\n`;
    write(join(repo, '.claude', 'agents', `kind-${String(nth % 20)}`, `${name}.md`), name, more);
  }
  for (let nth = 0; nth < SKILLS; nth += 1) {
    const name = `skill-${String(nth)}`;
    write(join(repo, '.claude', 'skills', name, 'SKILL.md'), name, 'license: MIT\nallowed-tools: Read Grep\n');
  }
}

function write(file: string, name: string, more: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const body = 'Read the code that the request is about, and say what is wrong with it.\n'.repeat(BODY_LINES);
  writeFileSync(file, `---\nname: ${name}\ndescription: Reviews ${name}, as one of many do.\n${more}---\n\n${body}`);
}
