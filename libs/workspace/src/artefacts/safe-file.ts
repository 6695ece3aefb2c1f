import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { errorCode, UserError } from '#kernel';

const PART = '.part';
const LEFTOVER_MS = 600_000;

/** Makes the folder below `root`, step by step, and refuses one that leads elsewhere. */
export async function ownFolder(root: string, folder: string): Promise<void> {
  let at = root;
  for (const step of relative(root, folder).split(sep)) {
    if (step === '') continue;
    at = join(at, step);
    const found = (await lstat(at).catch(() => null)) ?? (await made(at));
    if (!found.isDirectory()) throw leadsElsewhere(at);
  }
  if ((await realpath(folder)) !== folder) throw leadsElsewhere(folder);
}

async function made(folder: string): Promise<Stats> {
  await mkdir(folder).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  return lstat(folder);
}

export const leadsElsewhere = (path: string): UserError =>
  new UserError(
    'ARTEFACT_PATH_UNSAFE',
    `${path} is a link or no plain file or folder: nothing is written or read through it. Remove it and try again.`,
    { path },
  );

export interface WholeFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Each whole or not at all, also when the machine stops: a temporary name, flushed, then the real one, flushed. They get
 * their names in the given order, once all of them are on the disk.
 */
export async function replaceFiles(files: readonly WholeFile[]): Promise<void> {
  const parts = files.map(({ file }) => join(dirname(file), `.${basename(file)}.${randomUUID()}${PART}`));
  try {
    const written = await Promise.allSettled(files.map(({ text }, nth) => writePart(parts[nth] ?? '', text)));
    for (const one of written) if (one.status === 'rejected') throw one.reason;
    for (const [nth, { file }] of files.entries()) {
      await rename(parts[nth] ?? '', file).catch((error: unknown) => {
        throw errorCode(error) === 'EISDIR' ? leadsElsewhere(file) : error;
      });
    }
  } catch (error) {
    await Promise.all(parts.map((part) => rm(part, { force: true })));
    throw error;
  }
  await Promise.all([...new Set(files.map(({ file }) => dirname(file)))].map(flushFolder));
}

async function writePart(part: string, text: string): Promise<void> {
  const handle = await open(part, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Takes away what a crash left half-written: younger ones may be those of somebody who is writing now. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.') || !name.endsWith(PART)) continue;
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(join(folder, name), { force: true });
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const MOST_OPENINGS = 10;

/** For reading, only a plain file of a single name: no link, no pipe, no device. */
export async function openPlain(file: string): Promise<FileHandle> {
  for (let nth = 1; ; nth += 1) {
    const handle = await openOnce(file);
    const found = await handle.stat();
    if (found.isFile() && found.nlink === 1) return handle;
    await handle.close();
    // Without a name it was replaced by a newer one since it was opened.
    if (!found.isFile() || found.nlink > 1 || nth === MOST_OPENINGS) throw leadsElsewhere(file);
  }
}

async function openOnce(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ELOOP', 'ENXIO', 'EISDIR', 'EMLINK'].includes(errorCode(error))) throw leadsElsewhere(file);
    throw error;
  }
}

/** Whether a plain file says this already. One of another length is not read: a repository may bring one of any. */
export async function isWritten({ file, text }: WholeFile): Promise<boolean> {
  const handle = await openPlain(file).catch(() => null);
  if (handle === null) return false;
  try {
    const { size } = await handle.stat();
    return size === Buffer.byteLength(text) && (await handle.readFile('utf8')) === text;
  } finally {
    await handle.close();
  }
}
