import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseCases } from './cases/choose-cases.js';
import { cases } from './cases/index.js';
import { runAll } from './run-all.js';
import { type CaseResult, OUTCOME_MARKERS, renderSummary, renderTable } from './report/table.js';
import { EXAMPLE_MARKERS, EXAMPLES, renderExamples } from './report/examples.js';
import { EXAMPLES_PAGE, writePage } from './report/write-page.js';

/**
 * `npm run outcomes [-- NAME…]`: all cases, the case of this name, or all cases whose names begin with it. Exits with 1
 * if a goal is missed.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      summaries: { type: 'string' },
      examples: { type: 'boolean', default: false },
    },
  });
  const wanted = chooseCases(cases, values.examples ? EXAMPLES.map(({ name }) => name) : positionals);
  if (wanted.length === 0) {
    process.stderr.write(`No case has such a name. There are: ${cases.map(({ name }) => name).join(', ')}\n`);
    return 2;
  }
  const since = performance.now();
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const onResult = ({ case: { name }, outcome, isRight }: CaseResult): void => {
    process.stderr.write(`${isRight ? 'ok' : 'NO'} ${name}: ${outcome}\n`);
  };
  const results = await runAll(wanted, { onResult, signal: stop.signal });
  const seconds = Math.round((performance.now() - since) / 1_000);
  const summary = `${renderSummary(results)}, ${String(seconds)} s`;
  process.stdout.write(values.json ? results.map(jsonLine).join('') : `${renderTable(results)}\n\n${summary}\n`);
  if (values.summaries !== undefined) await writePages(values.summaries, results);
  if (values.examples) await writePage(renderExamples(results), EXAMPLE_MARKERS, EXAMPLES_PAGE);
  if (values.write) {
    const command = ['npm run outcomes', ...(positionals.length > 0 ? ['--', ...positionals] : [])].join(' ');
    const content = `Made by \`${command}\`:\n\n${renderTable(results)}\n\n${summary}`;
    await writePage(content, OUTCOME_MARKERS);
  }
  return results.every(({ isRight }) => isRight) ? 0 : 1;
}

/** The readable files of each project as FOLDER/NAME/PAGE.md, with what a person was asked as gate.txt. */
async function writePages(folder: string, results: readonly CaseResult[]): Promise<void> {
  for (const { case: one, pages = {}, outcome, why } of results) {
    const own = join(folder, one.name);
    await mkdir(own, { recursive: true });
    for (const [name, text] of Object.entries(pages)) await writeFile(join(own, name), text);
    if (outcome === 'asked') await writeFile(join(own, 'gate.txt'), `${why}\n`);
  }
}

function jsonLine({ case: one, summary: _summary, pages: _pages, ...result }: CaseResult): string {
  const { name, kind, point, protocol, mode } = one;
  return `${JSON.stringify({ name, kind, point, protocol, mode, ...result })}\n`;
}

process.exitCode = await main();
