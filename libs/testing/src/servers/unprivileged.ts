import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The kernel refuses root nothing: what a service without its rights meets shows only as somebody who is nobody. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const LOADER = new URL('./source-loader.mjs', import.meta.url);

/** Whether the sources can be read by all. */
export function canRunUnprivileged(): boolean {
  const read = `require('node:fs').readFileSync(${JSON.stringify(fileURLToPath(LOADER))})`;
  return spawnSync(process.execPath, ['-e', read], user).status === 0;
}

/** Runs a TypeScript file of the project to its end, from source, in a folder that is its own from now on. */
export function runUnprivileged(
  file: URL,
  args: readonly string[],
  { owns, home = owns }: { owns: string; home?: string },
): SpawnSyncReturns<string> {
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${String(NOBODY)}:${String(NOBODY)}`, owns]);
  const node = ['--experimental-transform-types', '--no-warnings', '--import', LOADER.href, fileURLToPath(file)];
  return spawnSync(process.execPath, [...node, ...args], { ...user, cwd: '/', encoding: 'utf8', env: { HOME: home } });
}
