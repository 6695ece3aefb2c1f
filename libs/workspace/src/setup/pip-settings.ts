import { CommandFailed, type OutsideCommands, runOutside } from './bring-in/outside-command.js';

/** Settings of pip that say where packages are and how they are reached. */
const PIP_KEYS = ['index-url', 'extra-index-url', 'find-links', 'cert', 'trusted-host', 'proxy', 'no-index'];
/** As pip prints them: `global.index-url='…'`. */
const LINE = /^(?:global|user|site|install)\.([a-z-]+)='(.*)'$/;

/** What pip is set to on this machine, as variables that say the same; pip itself puts its files together. */
export async function pipSettings(
  outside: OutsideCommands,
  env: Readonly<Record<string, string>>,
): Promise<(readonly [string, string])[]> {
  let listed: string;
  try {
    const args = ['-m', 'pip', 'config', 'list'];
    listed = await runOutside(outside, { file: 'python3', args, cwd: '/', purpose: 'read pip settings', env });
  } catch (error) {
    // A machine without pip: there is nothing to pass on.
    if (error instanceof CommandFailed) return [];
    throw error;
  }
  return listed.split('\n').flatMap((line) => {
    const [, key = '', value = ''] = LINE.exec(line) ?? [];
    return PIP_KEYS.includes(key) ? [[`PIP_${key.replaceAll('-', '_').toUpperCase()}`, value] as const] : [];
  });
}
