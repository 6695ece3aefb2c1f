import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What tells of the kernel's memory and of others' keys, to root at least. */
const UNSEEN = new Set(['kcore', 'keys', 'kallsyms', 'kpagecount', 'kpageflags', 'kpagecgroup', 'timer_list']);
const OF_PROCESSES = /^(?:\d+|self|thread-self|net|mounts)$/;

/**
 * To the files of /proc that steer the kernel, root is root in whatever namespace: who may write to /proc/sys may run
 * programs on the host. So all of /proc that is not about processes is shown as the host's own, read-only.
 */
export function procMasks(): [real: string, path: string][] {
  return readdirSync('/proc').flatMap((name): [string, string][] => {
    const path = join('/proc', name);
    const found = OF_PROCESSES.test(name) ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (!found || found.isSymbolicLink()) return [];
    if (UNSEEN.has(name)) return [['/dev/null', path]];
    return found.isDirectory() || (found.mode & 0o222) !== 0 ? [[path, path]] : [];
  });
}
