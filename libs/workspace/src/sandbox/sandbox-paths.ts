import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, normalize, sep } from 'node:path';
import { EngineBug } from '#kernel';
import type { Mount, SandboxedCommand } from './sandbox.port.js';

export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

export const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

/** The home folder that a path is in, or is. */
export function homeOf(path: string): string | null {
  const own = homedir();
  if (own !== '/' && isWithin(path, own)) return own;
  return /^(?:\/root|\/home\/[^/]+)(?=\/|$)/.exec(path)?.[0] ?? null;
}

export const holdsHomes = (path: string): boolean =>
  homeOf(path) === path || [homedir(), '/root', '/home'].some((home) => isWithin(home, path));

/** Whether a path holds more than one command's own: the whole machine, a home folder, a hidden folder as a whole. */
export const holdsTooMuch = (real: string, hidden: readonly string[]): boolean =>
  holdsHomes(real) || hidden.some((folder) => isWithin(folder, real));

export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

export function isPlain(path: string, kind: 'file' | 'folder'): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return (kind === 'file' ? found?.isFile() : found?.isDirectory()) ?? false;
}

type Asked = Pick<SandboxedCommand, 'writable' | 'readable' | 'readOnly' | 'mounts' | 'cwd'>;

/** A folder or file of the host that a command is given, and where it finds it. */
export interface Given {
  readonly real: string;
  readonly path: string;
  readonly isWritable: boolean;
}

/**
 * What a command is given, outermost first: the deepest path that is named decides. Refuses to give away what holds too
 * much. What lies in a writable folder, where commands can put links, must be there under its own name.
 */
export function givenPaths(command: Asked, hidden: readonly string[]): Given[] {
  const { writable, readable = [], readOnly = [], mounts = [], cwd } = command;
  const free = writable.map((path) => realPathOf(path) ?? path);
  const give = (path: string, isWritable: boolean): Given[] => {
    const real = isAbsolute(path) ? realPathOf(path) : null;
    if (real === null) throw refused(path, 'is not there');
    if (holdsTooMuch(real, hidden)) throw refused(path, 'holds more than a command may have');
    const plain = normalize(path);
    if (plain === real) return [{ real, path: real, isWritable }];
    const isLoose = [...writable, ...free].some((folder) => isBelow(plain, folder));
    if (isLoose) throw refused(path, 'goes through a link');
    return [plain, real].map((one) => ({ real, path: one, isWritable }));
  };
  const given = [
    ...readable.flatMap((path) => give(path, false)),
    ...readOnly.filter(isThere).flatMap((path) => give(path, false)),
    ...writable.flatMap((path) => give(path, true)),
    ...mounts.map((mount) => givenMount(mount, hidden)),
  ];
  if (!given.some(({ path }) => isWithin(normalize(cwd), path))) {
    throw refused(cwd, 'is where the command starts, and not among what it was given');
  }
  return given.sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

/** The service makes both paths itself: one that is not plain is a mistake of its own. */
function givenMount({ outside, inside, isWritable }: Mount, hidden: readonly string[]): Given {
  const real = realPathOf(outside);
  if (real !== outside) throw refused(outside, 'is not there, or goes through a link');
  if (holdsTooMuch(real, hidden)) throw refused(outside, 'holds more than a command may have');
  if (!isAbsolute(inside) || normalize(inside) !== inside) throw refused(inside, 'is no plain path to mount at');
  return { real, path: inside, isWritable };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const depthOf = (path: string): number => path.split(sep).length;

const refused = (path: string, why: string): EngineBug =>
  new EngineBug('SANDBOX_PATH_REFUSED', `${path} ${why}`, { path });
