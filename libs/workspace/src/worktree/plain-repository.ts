import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, UserError } from '#kernel';

/** Folders on the way to everything that is written; each may still be missing. */
const FOLDERS = [
  'objects',
  'refs',
  'refs/heads',
  'refs/heads/qralph',
  'refs/qralph',
  'reftable',
  'logs',
  'logs/refs',
  'logs/refs/heads',
  'logs/refs/heads/qralph',
  'logs/refs/qralph',
  'info',
  'worktrees',
];

/** Git follows links at these when it writes them. */
const FILES = ['packed-refs', 'shallow', 'logs/HEAD'];

/** What lies in these is written to, whatever its name: new objects, branches and the logs of branches. */
const WITHOUT_LINKS = ['objects', 'refs/heads/qralph', 'logs/refs/heads/qralph', 'reftable'];

/**
 * What is written through a link in a repository would end up wherever it leads, with the rights of this service.
 * Repositories whose objects are borrowed (`objects/info/alternates`) are fine: those are only read, and only objects
 * that a commit of the repository names.
 */
export async function mustBeWithoutLinks(commonDir: string): Promise<void> {
  await Promise.all([
    ...FOLDERS.map((name) => mustBe('folder', join(commonDir, name))),
    ...FILES.map((name) => mustBe('file', join(commonDir, name))),
    ...WITHOUT_LINKS.map((name) => mustHoldNoLinks(join(commonDir, name))),
  ]);
}

/** The same of one checkout's own HEAD, index and log. */
export async function mustBePlainEntry(gitDir: string): Promise<void> {
  await mustBe('folder', gitDir);
  await Promise.all([
    mustBe('folder', join(gitDir, 'logs')),
    mustBe('file', join(gitDir, 'logs', 'HEAD')),
    mustHoldNoLinks(gitDir),
  ]);
}

/** The same of refs below one folder, and of their logs. */
export async function mustHavePlainRefs(commonDir: string, refs: readonly string[]): Promise<void> {
  const folders = [...new Set(refs.map((name) => dirname(name)))].flatMap((name) => [name, `logs/${name}`]);
  await Promise.all([
    ...folders.map((name) => mustBe('folder', join(commonDir, name))),
    ...refs.map((name) => mustBe('file', join(commonDir, 'logs', name))),
  ]);
}

async function mustBe(kind: 'file' | 'folder', path: string): Promise<void> {
  const found = await unlessMissing(lstat(path));
  if (found === null || (kind === 'file' ? found.isFile() : found.isDirectory())) return;
  throw symlinked(path, kind);
}

async function mustHoldNoLinks(folder: string): Promise<void> {
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link) throw symlinked(join(folder, link.name), basename(folder) === 'objects' ? 'folder' : 'file');
}

/** A folder that may not be read is found out about where it is needed. */
async function unlessMissing<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return null;
    throw error;
  }
}

const symlinked = (path: string, kind: 'file' | 'folder'): UserError =>
  new UserError(
    'REPO_SYMLINKED',
    `${path} is a link, or something else than the plain ${kind} that git has there; nothing is written through it. ` +
      'Make a clone of the repository and give that one.',
    { path },
  );
