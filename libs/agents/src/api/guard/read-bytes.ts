import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ToolRefusal } from '../tools/refusal.js';
import { refusalOf } from './file-faults.js';
import { asked, type OpenFolder } from './rooted.js';

/** Not blocking: opening a pipe that nobody writes to would never return. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Folders of dependencies: files in them are often hard links into a package store or another checkout. */
export const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'vendor', '.yarn']);

export interface FileBytes {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** A regular file of an open folder. Refuses what is none, what is too large, and what may be a file of elsewhere. */
export async function readBytes(folder: OpenFolder, name: string, maxBytes: number): Promise<FileBytes> {
  const path = folder.pathOf(name);
  const handle = await asked(path, () => open(folder.at(name), READ));
  try {
    const stats = await handle.stat();
    refuseOther(stats, path);
    if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    return { bytes: await readUpTo(handle, stats.size, path, maxBytes), mode: stats.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

/**
 * The same in one turn of the event loop: five turns for each of thousands of small files would take seconds. The
 * caller lets others have their turn between files.
 */
export function readBytesSync(folder: OpenFolder, name: string, maxBytes: number): Buffer {
  const path = folder.pathOf(name);
  const file = openAtOnce(folder.at(name), path);
  try {
    const stats = fstatSync(file);
    refuseOther(stats, path);
    if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    const buffer = Buffer.allocUnsafe(stats.size);
    let filled = 0;
    for (let read = -1; filled < stats.size && read !== 0; filled += read) {
      read = readSync(file, buffer, filled, stats.size - filled, filled);
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

function openAtOnce(at: string, path: string): number {
  try {
    return openSync(at, READ);
  } catch (error) {
    throw refusalOf(error, path) ?? error;
  }
}

/** What a write would replace: its mode, or null where there is nothing yet. */
export async function modeOf(folder: OpenFolder, name: string): Promise<number | null> {
  const path = folder.pathOf(name);
  let handle: FileHandle;
  try {
    handle = await open(folder.at(name), READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return asked(path, () => Promise.reject(error as Error));
  }
  try {
    const stats = await handle.stat();
    refuseKind(stats, path);
    return stats.mode & 0o777;
  } finally {
    await handle.close();
  }
}

function refuseOther(stats: Stats, path: string): void {
  refuseKind(stats, path);
  if (stats.nlink > 1 && !path.split('/').some((name) => DEPENDENCY_FOLDERS.has(name))) {
    throw new ToolRefusal(
      `${JSON.stringify(path)}: it is a hard link (it has another name somewhere): those are refused`,
    );
  }
}

function refuseKind(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? 'a folder' : 'no regular file (a device, a pipe or a socket)';
  throw new ToolRefusal(`${JSON.stringify(path)}: it is ${what}`);
}

/** The file may grow meanwhile. */
async function readUpTo(handle: FileHandle, size: number, path: string, maxBytes: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    if (filled > maxBytes) throw tooLarge(path, filled, maxBytes);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}

const tooLarge = (path: string, size: number, maxBytes: number): ToolRefusal =>
  new ToolRefusal(`${JSON.stringify(path)}: it has ${String(size)} bytes, at most ${String(maxBytes)} can be read`);
