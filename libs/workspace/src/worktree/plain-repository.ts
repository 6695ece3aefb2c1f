import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, UserError } from '#kernel';

type Kind = 'file' | 'folder';
type Kinds = Readonly<Record<string, Kind>>;

/** By folder, what lies in it on the way to everything that is written, or is itself written; each may be missing. */
const PARTS: Readonly<Record<string, Kinds>> = {
  '': {
    objects: 'folder',
    refs: 'folder',
    reftable: 'folder',
    logs: 'folder',
    info: 'folder',
    worktrees: 'folder',
    // Git follows links at these when it writes them.
    'packed-refs': 'file',
    shallow: 'file',
  },
  refs: { heads: 'folder', qralph: 'folder' },
  logs: { refs: 'folder', HEAD: 'file' },
  'logs/refs': { heads: 'folder', qralph: 'folder' },
};

/** Those whose folder may hold a user's thousands of branches. */
const FOLDERS = ['refs/heads/qralph', 'logs/refs/heads/qralph'];

/** What lies in these is written to, whatever its name: new objects, branches and the logs of branches. */
const WITHOUT_LINKS = ['objects', 'refs/heads/qralph', 'logs/refs/heads/qralph', 'reftable'];

/**
 * What is written through a link in a repository would end up wherever it leads, with the rights of this service.
 * Repositories whose objects are borrowed (`objects/info/alternates`) are fine: those are only read, and only objects
 * that a commit of the repository names.
 */
export async function mustBeWithoutLinks(commonDir: string): Promise<void> {
  await Promise.all([
    ...Object.entries(PARTS).map(([folder, kinds]) => mustHold(kinds, join(commonDir, folder))),
    ...FOLDERS.map((name) => mustBe('folder', join(commonDir, name))),
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

/** One look at a folder says as much as one at each of them. */
async function mustHold(kinds: Kinds, folder: string): Promise<void> {
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const kind = Object.hasOwn(kinds, entry.name) ? kinds[entry.name] : undefined;
    if (kind === undefined || (kind === 'file' ? entry.isFile() : entry.isDirectory())) continue;
    throw symlinked(join(folder, entry.name), kind);
  }
}

async function mustBe(kind: Kind, path: string): Promise<void> {
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

const symlinked = (path: string, kind: Kind): UserError =>
  new UserError(
    'REPO_SYMLINKED',
    `${path} is a link, or something else than the plain ${kind} that git has there; nothing is written through it. ` +
      'Make a clone of the repository and give that one.',
    { path },
  );
