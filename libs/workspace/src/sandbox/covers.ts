import { homedir } from 'node:os';
import { gitViewOf } from './git-view.js';
import { givenPaths, isBelow, isPlain, isWithin, realPathOf } from './sandbox-paths.js';
import type { SandboxedCommand } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import { SYSTEM_FOLDERS } from './toolchains.js';

/** What is done to the view of a command, one after the other. `show` is read-only, `give` is not. */
export type Change =
  readonly ['cover' | 'seal', folder: string] | readonly ['show' | 'give', real: string, path: string];

export interface Surrounding {
  readonly hidden: readonly string[];
  readonly toolchains: readonly string[];
  readonly staged: StagedFiles;
}

type Asked = Pick<SandboxedCommand, 'writable' | 'readable' | 'readOnly' | 'sockets' | 'cwd'>;

/**
 * The folders that hold secrets become empty ones, in which only what the command was given is put back: what is hidden,
 * home folders, and the sockets of the machine's services. Everything else stays as it is.
 */
export function coversFor(command: Asked, { hidden, toolchains, staged }: Surrounding): Change[] {
  const covers = coveredFolders(hidden);
  const isCovered = (path: string): boolean => covers.some((folder) => isWithin(path, folder));
  const show = (real: string, path = real): Change[] => (isCovered(path) ? [['show', real, path]] : []);
  const given = givenPaths(command, hidden);
  const writable = given.filter(({ isWritable }) => isWritable).map(({ path }) => path);
  const folders = given.filter(({ real }) => isPlain(real, 'folder'));
  const views = folders.flatMap(({ path }) => gitViewOf(path, writable) ?? []);
  const resolver = realPathOf('/etc/resolv.conf');
  return [
    ...covers.map((folder): Change => ['cover', folder]),
    ...(resolver === null ? [] : show(resolver)),
    ...toolchains.flatMap((folder) => show(folder)),
    ...hidden.filter((one) => toolchains.some((folder) => isBelow(one, folder))).map((one): Change => ['cover', one]),
    ...given.flatMap(({ real, path, isWritable }): Change[] =>
      isWritable && isCovered(path) ? [['give', real, path]] : show(real, path),
    ),
    ...views.flatMap(({ paths, config }) => [
      ...paths.flatMap((path) => show(path)),
      ...show(staged.put(config.text), config.path),
    ]),
    ...(command.sockets ?? []).map(({ outside, inside }): Change => ['give', outside, inside]),
    ...covers.map((folder): Change => ['seal', folder]),
  ];
}

/** Outermost only, by their real names. */
function coveredFolders(hidden: readonly string[]): string[] {
  const homes = ['/root', '/home', homedir()].filter((home) => !isOfSystem(home));
  const all = [...homes, '/run', ...hidden].flatMap((one) => realPathOf(one) ?? []);
  const folders = [...new Set(all)].filter((one) => one !== '/' && isPlain(one, 'folder'));
  return folders.filter((one) => !folders.some((other) => isBelow(one, other)));
}

/** Accounts of services have homes such as /usr/sbin, which hold no secrets and cannot be spared. */
const isOfSystem = (home: string): boolean =>
  [...SYSTEM_FOLDERS, '/dev', '/proc'].some((folder) => isWithin(home, folder)) ||
  [...SYSTEM_FOLDERS, '/dev', '/proc', '/tmp'].some((folder) => isWithin(folder, home));
