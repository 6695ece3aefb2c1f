// What the other scripts share: running a program of node_modules under this Node, and telling how it went.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The file behind a package's command, or null where the package is not installed. */
export function program(packageName, command = packageName) {
  try {
    const manifest = require.resolve(`${packageName}/package.json`);
    const { bin } = require(manifest);
    return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Resolves to the exit code; the program's output is this one's. */
export function run(file, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? code : 1));
  });
}

export const seconds = (since) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
