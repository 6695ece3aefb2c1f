import { join } from 'node:path';
import { ensureClient } from './prisma-client.mjs';
import { program, root, run, seconds } from './run.mjs';

/**
 * Format, lint, types, and the unit tests, which hold the import rules and the freshness of generated files. Every step
 * runs even when an earlier one failed; nothing is a mere warning. Resolves to the names of the steps that failed.
 */
export async function runChecks(testReport = []) {
  const memory = join(root, 'dist', '.check.tsbuildinfo');
  const steps = [
    ['format', program('prettier'), ['--check', '--log-level=warn', '.']],
    ['lint', program('eslint'), ['--max-warnings=0', '.']],
    ['types', program('typescript', 'tsc'), ['--noEmit', '-p', 'tsconfig.json', '--tsBuildInfoFile', memory]],
  ];
  if ((await ensureClient()) !== 0) return ['prisma client'];
  const failed = await Promise.all(steps.map(failureOf));
  // Alone: some of its tests have deadlines.
  failed.push(await failureOf(['unit tests', program('vitest'), ['run', '--project', 'unit', ...testReport]]));
  return failed.filter((name) => name !== null);
}

/** The name of a step that failed; null where it is good. */
async function failureOf([name, file, args]) {
  const began = performance.now();
  const isGood = (await run(file, args)) === 0;
  console.log(`check: ${name} ${isGood ? 'ok' : 'FAILED'} (${seconds(began)})`);
  return isGood ? null : name;
}
