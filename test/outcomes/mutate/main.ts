import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tempFolder } from '#testing';
import { MUTATION_MARKERS } from '../report/table.js';
import { writePage } from '../report/write-page.js';
import { EditableBuild } from './edit-build.js';
import { type CaseLine, isNoticed, type MutationResult, readCaseLines, renderMutations } from './mutation-table.js';
import { type Mutation, mutations } from './mutations.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * `npm run outcomes:mutate [-- NAME…]`: switches off one part of the judge at a time, in a copy of the build, and runs
 * the cases that must notice it. Exits with 1 if they do not, or if one of them is not right without the mutation.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const wanted = mutations.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  if (wanted.length === 0) {
    process.stderr.write(`No mutation has such a name. There are: ${mutations.map(({ name }) => name).join(', ')}\n`);
    return 2;
  }
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const since = performance.now();
  const folder = tempFolder('mutate');
  try {
    const build = await EditableBuild.copy(ROOT, folder.path);
    const plain = await runCases(build, [...new Set(wanted.flatMap(({ cases }) => cases))], stop.signal);
    const wrong = plain.filter(({ isRight }) => !isRight);
    for (const { name, outcome } of wrong) process.stderr.write(`NO without a mutation: ${name}: ${outcome}\n`);
    const results: MutationResult[] = [];
    for (const mutation of wanted) results.push(await tryMutation(build, mutation, stop.signal));
    const table = renderMutations(results);
    const seconds = Math.round((performance.now() - since) / 1_000);
    const summary = `${String(results.filter(isNoticed).length)} of ${String(results.length)} mutations noticed, ${String(seconds)} s`;
    process.stdout.write(`${table}\n\n${summary}\n`);
    if (values.write)
      await writePage(`Made by \`npm run outcomes:mutate\`:\n\n${table}\n\n${summary}`, MUTATION_MARKERS);
    return wrong.length === 0 && results.every(isNoticed) ? 0 : 1;
  } finally {
    await folder.remove();
  }
}

async function tryMutation(build: EditableBuild, mutation: Mutation, signal: AbortSignal): Promise<MutationResult> {
  process.stderr.write(`\nwithout ${mutation.name}:\n`);
  const lines = await build.withEdits(mutation.edits, () => runCases(build, mutation.cases, signal));
  return { mutation, lines };
}

/** Runs outcome cases in a process of the copied build. Its progress goes to the terminal. */
async function runCases(
  build: EditableBuild,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly CaseLine[]> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [build.pathOf('test/outcomes/main.js'), '--json', ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): boolean => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  try {
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const lines = readCaseLines(output);
    const missing = names.filter((name) => !lines.some((line) => line.name === name));
    if (missing.length > 0) throw new Error(`These cases did not run: ${missing.join(', ')}. See the output above.`);
    return lines;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

process.exitCode = await main();
