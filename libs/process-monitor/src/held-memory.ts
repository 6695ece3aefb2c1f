import { readdirSync, readlinkSync, type Stats, statfsSync, statSync } from 'node:fs';
import { type Mount, mountsOf } from './mounts.js';

/** So many open files of a process are looked at; others have their turn at the next look. */
const MOST_FILES = 256;
const MOST_MOUNTS = 32;
/** What `stat` calls a block, whatever the file system does. */
const BLOCK_BYTES = 512;

/**
 * What processes hold in memory without having it in their address space: files of no file system (memfd), deleted ones
 * that are still open, and file systems in memory that only they have. What is mapped too counts as well, so it may be
 * in the resident figure a second time.
 */
export class HeldMemory {
  private turn = 0;

  bytesOf(pids: readonly number[]): number {
    const [seen, namespaces] = [new Set<string>(), new Set(['', ownNamespace()])];
    const shared = ownMounts();
    let bytes = 0;
    for (const pid of pids) {
      const namespace = linkOf(`/proc/${String(pid)}/ns/mnt`);
      if (!namespaces.has(namespace)) bytes += inMounts(pid, seen);
      namespaces.add(namespace);
    }
    for (const pid of pids) bytes += this.inFiles(pid, shared, seen);
    this.turn += 1;
    return bytes;
  }

  private inFiles(pid: number, shared: readonly string[], seen: Set<string>): number {
    const folder = `/proc/${String(pid)}/fd`;
    let bytes = 0;
    for (const name of this.some(filesIn(folder))) {
      const link = linkOf(`${folder}/${name}`);
      if (!isInMemory(link, shared)) continue;
      const stat = statOf(`${folder}/${name}`);
      if (!stat) continue;
      const [device, file] = [deviceOf(stat.dev), `${String(stat.dev)}/${String(stat.ino)}`];
      if (seen.has(device) || seen.has(file)) continue;
      seen.add(file);
      bytes += stat.blocks * BLOCK_BYTES;
    }
    return bytes;
  }

  private some(names: readonly string[]): readonly string[] {
    if (names.length <= MOST_FILES) return names;
    const from = (this.turn * MOST_FILES) % names.length;
    return [...names.slice(from), ...names.slice(0, from)].slice(0, MOST_FILES);
  }
}

/** Adds the devices that were counted to those that were seen. */
function inMounts(pid: number, seen: Set<string>): number {
  let bytes = 0;
  for (const { path, device } of foreignMounts(pid)) {
    const at = `/proc/${String(pid)}/root${path}`;
    // It may be hidden below another mount.
    if (seen.has(device) || deviceOf(statOf(at)?.dev ?? 0) !== device) continue;
    seen.add(device);
    bytes += usedIn(at);
  }
  return bytes;
}

/** File systems in memory that we do not have. */
function foreignMounts(pid: number): Mount[] {
  const own = new Set(mountsOf('self').map(({ device }) => device));
  const foreign = mountsOf(pid).filter(({ device }) => !own.has(device));
  // A file system that a program answers for may let the one who asks wait forever.
  if (foreign.some(({ type }) => type.startsWith('fuse'))) return [];
  return foreign.filter(({ type }) => type === 'tmpfs').slice(0, MOST_MOUNTS);
}

/** Files of a file system in memory that others have too count when they are deleted: nobody else can open them. */
const isInMemory = (link: string, shared: readonly string[]): boolean =>
  link.startsWith('/memfd:') ||
  link.startsWith('/dev/shm/') ||
  (link.endsWith(' (deleted)') && shared.some((path) => link.startsWith(`${path}/`)));

let namespaceOfOwn: string | undefined;
const ownNamespace = (): string => (namespaceOfOwn ??= linkOf('/proc/self/ns/mnt'));

let inMemory: readonly string[] | undefined;
const ownMounts = (): readonly string[] =>
  (inMemory ??= mountsOf('self').filter(({ type }) => type === 'tmpfs').map(({ path }) => path)); // prettier-ignore

/** As the list of mounts writes it. */
const deviceOf = (dev: number): string =>
  `${String((dev >>> 8) & 0xfff)}:${String((dev & 0xff) | ((dev >>> 12) & 0xfff00))}`;

/** Empty when there is none, or it is not to be seen. */
const linkOf = (path: string): string => unlessGone(() => readlinkSync(path), '');
const filesIn = (folder: string): string[] => unlessGone(() => readdirSync(folder), []);
const statOf = (path: string): Stats | null => unlessGone(() => statSync(path), null);
const usedIn = (path: string): number =>
  unlessGone(() => {
    const { blocks, bfree, bsize } = statfsSync(path);
    return (blocks - bfree) * bsize;
  }, 0);

/** Processes and their files go while they are looked at, and those of others are not ours to see. */
function unlessGone<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
