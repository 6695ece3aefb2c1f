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
    ['unit tests', program('vitest'), ['run', '--project', 'unit', ...testReport]],
  ];
  if ((await ensureClient()) !== 0) return ['prisma client'];
  const failed = [];
  for (const [name, file, args] of steps) {
    const began = performance.now();
    const isGood = (await run(file, args)) === 0;
    console.log(`check: ${name} ${isGood ? 'ok' : 'FAILED'} (${seconds(began)})`);
    if (!isGood) failed.push(name);
  }
  return failed;
}
