import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a TypeScript file of the project in a Node process of its own, from source: for tests that must kill one.
 * Its standard output and error are pipes.
 */
export function spawnSource(file: URL, args: string[] = []): ChildProcess {
  const loader = new URL('./source-loader.mjs', import.meta.url);
  return spawn(
    process.execPath,
    ['--experimental-transform-types', '--no-warnings', '--import', loader.href, fileURLToPath(file), ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
}
