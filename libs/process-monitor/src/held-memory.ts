import { readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
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
  private readonly mounts = new Map<string, readonly Mount[]>();

  bytesOf(pids: readonly number[]): number {
    const [seen, namespaces] = [new Set<string>(), new Set(['', ownNamespace()])];
    const shared = ownMounts();
    let bytes = 0;
    for (const pid of pids) {
      const namespace = linkOf(`/proc/${String(pid)}/ns/mnt`);
      if (!namespaces.has(namespace)) bytes += this.inMounts(pid, namespace, seen);
      namespaces.add(namespace);
    }
    for (const pid of pids) bytes += this.inFiles(pid, shared, seen);
    this.turn += 1;
    return bytes;
  }

  /** Adds the devices that were counted to those that were seen. */
  private inMounts(pid: number, namespace: string, seen: Set<string>): number {
    const root = `/proc/${String(pid)}/root`;
    let bytes = 0;
    for (const { path, device } of this.foreignMounts(pid, namespace)) {
      try {
        const at = `${root}${path}`;
        if (seen.has(device) || deviceOf(statSync(at).dev) !== device) continue;
        const { blocks, bfree, bsize } = statfsSync(at);
        seen.add(device);
        bytes += (blocks - bfree) * bsize;
      } catch {
        // Hidden below another mount, or the process is gone.
      }
    }
    return bytes;
  }

  /** They may change while a sandbox is set up, and after that only where somebody may mount: asked for now and then. */
  private foreignMounts(pid: number, namespace: string): readonly Mount[] {
    const known = this.mounts.get(namespace);
    if (known && this.turn % 5 !== 0) return known;
    const own = new Set(mountsOf('self').map(({ device }) => device));
    const foreign = mountsOf(pid).filter(({ device }) => !own.has(device));
    // A file system that a program answers for may let the one who asks wait forever.
    const canHang = foreign.some(({ type }) => type.startsWith('fuse'));
    const found = canHang ? [] : foreign.filter(({ type }) => type === 'tmpfs').slice(0, MOST_MOUNTS);
    if (this.turn % 5 === 0) this.mounts.clear();
    this.mounts.set(namespace, found);
    return found;
  }

  private inFiles(pid: number, shared: readonly string[], seen: Set<string>): number {
    const folder = `/proc/${String(pid)}/fd`;
    let bytes = 0;
    for (const name of this.some(filesIn(folder))) {
      const link = linkOf(`${folder}/${name}`);
      if (!isInMemory(link, shared)) continue;
      const stat = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
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
  `${String(((dev >>> 8) & 0xfff) | 0)}:${String((dev & 0xff) | ((dev >>> 12) & 0xfff00))}`;

/** Empty when there is none, or it is not to be seen. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
