import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutsideCommands, runOutside } from './outside-command.js';

/**
 * How the files of a folder become the worktree's.
 * - reflink: files of its own that share blocks on disk until one of them is written
 * - hard-link: the user's own files under a second name; nobody may write to them
 * - copy: files of its own
 */
export type CopyMethod = 'reflink' | 'hard-link' | 'copy';

/** Names of one call of cp: far below what the kernel takes as arguments. */
const NAMES_AT_ONCE = 1_000;

const FLAGS: Readonly<Record<CopyMethod, readonly string[]>> = {
  reflink: ['--reflink=always'],
  'hard-link': ['--link'],
  copy: ['--reflink=auto'],
};

/** Tries the better ones on one file, from its place to its new place: only the two filesystems can tell. */
export async function bestMethod(from: string, to: string, mayHardLink: boolean): Promise<CopyMethod> {
  const file = await someFile(from);
  if (file === null) return 'copy';
  const probe = join(to, '.probe');
  const works = async (attempt: () => Promise<void>): Promise<boolean> => {
    try {
      await attempt();
      return true;
    } catch {
      // Whatever is in the way: the next method is tried, and the last one says what is wrong.
      return false;
    } finally {
      await rm(probe, { force: true });
    }
  };
  if (await works(() => copyFile(file, probe, constants.COPYFILE_FICLONE_FORCE))) return 'reflink';
  return mayHardLink && (await works(() => link(file, probe))) ? 'hard-link' : 'copy';
}

/** Some regular file below a folder: the first on the way down. */
async function someFile(folder: string): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  if (file) return join(folder, file.name);
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const found = await someFile(join(folder, entry.name));
    if (found !== null) return found;
  }
  return null;
}

/**
 * Copies the named entries of a folder into another. Links stay links. Owners do not come along: the copy is the
 * service's own.
 */
export async function copyTree(
  from: string,
  to: string,
  names: readonly string[],
  method: CopyMethod,
  outside: OutsideCommands,
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE).map((name) => `./${name}`);
    await runOutside(outside, {
      file: 'cp',
      args: ['-RP', '--preserve=mode,timestamps', ...FLAGS[method], `--target-directory=${to}`, '--', ...some],
      cwd: from,
      purpose: 'bring dependencies in',
    });
  }
}
