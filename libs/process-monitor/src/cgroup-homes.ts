import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cgroup of this process in one hierarchy, as a folder, and what it can measure of those that are for us. */
export interface CgroupHome {
  readonly folder: string;
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
}

const WANTED = ['pids', 'cpu', 'memory'];

/** Where cgroups for runs can be made; none where neither tasks nor memory are counted. */
export function findCgroupHomes(): CgroupHome[] {
  const own = linesOf('/proc/self/cgroup').map((line) => line.split(':'));
  const homes = mounts().flatMap(({ version, folder, root, options }): CgroupHome[] => {
    const path = own.find(([, names = '']) => (version === 2 ? names === '' : names.split(',').some((name) => options.includes(name))))?.[2]; // prettier-ignore
    if (path === undefined || !path.startsWith(root)) return [];
    const here = join(folder, path.slice(root.length));
    const available = version === 1 ? options : (linesOf(join(here, 'cgroup.controllers'))[0] ?? '').split(' ');
    const controllers = WANTED.filter((name) => available.includes(name) && (name !== 'memory' || canCountMemory(here, version))); // prettier-ignore
    return controllers.length > 0 && existsSync(here) ? [{ folder: here, version, controllers }] : [];
  });
  return homes.some(({ controllers }) => controllers.includes('pids') || controllers.includes('memory')) ? homes : [];
}

/**
 * Version 2 counts memory only below a cgroup that has no processes of its own, which ours has, or below the very first
 * one. Version 1 can be told not to count what is below: there a run would get out of whatever limits the service.
 */
function canCountMemory(folder: string, version: 1 | 2): boolean {
  return version === 2
    ? !existsSync(join(folder, 'cgroup.type'))
    : linesOf(join(folder, 'memory.use_hierarchy'))[0] === '1';
}

interface Mount {
  readonly version: 1 | 2;
  readonly folder: string;
  /** Which part of the hierarchy is mounted there. */
  readonly root: string;
  readonly options: readonly string[];
}

function mounts(): Mount[] {
  return linesOf('/proc/self/mountinfo').flatMap((line): Mount[] => {
    const [left = '', right = ''] = line.split(' - ');
    const [type, , options = ''] = right.split(' ');
    const [, , , root = '/', folder] = left.split(' ');
    if ((type !== 'cgroup' && type !== 'cgroup2') || folder === undefined) return [];
    const version = type === 'cgroup' ? 1 : 2;
    return [{ version, folder, root: root === '/' ? '' : root, options: options.split(',') }];
  });
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}
