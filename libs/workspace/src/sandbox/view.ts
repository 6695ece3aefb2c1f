import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { etcFiles } from './etc-files.js';
import { procMasks } from './proc-masks.js';
import { type Given, givenPaths, isBelow, isPlain, isWithin } from './sandbox-paths.js';
import type { SandboxedCommand } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import { SYSTEM_FOLDERS } from './toolchains.js';
import { ownRepositoryOf, visibleGitOf } from './visible-git.js';

export const HOME_INSIDE = '/tmp/home';
/** What is written there lies in memory, and is never more than the command may have of it. */
const TMP_BYTES = 2 * 1024 ** 3;
const SMALL_TMP_BYTES = 256 * 1024 ** 2;
const THROW_AWAY_BYTES = 16 * 1024 ** 2;

/**
 * How what can be seen inside comes to be, one step after the other, beginning with nothing at all.
 * - `show` and `give` put a folder or file of the host there, read-only and as it is
 * - `memory` is a folder that anybody may write; `cover` is an empty one, over whatever is there; `seal` makes one
 *   read-only
 */
export type Step =
  | readonly ['show' | 'give', real: string, path: string]
  | readonly ['link', target: string, path: string]
  | readonly ['memory', bytes: string, path: string]
  | readonly ['folder' | 'cover' | 'seal' | 'processes' | 'devices', path: string];

export interface Surrounding {
  readonly toolchains: readonly string[];
  readonly hidden: readonly string[];
  readonly staged: StagedFiles;
}

export type Viewer = Pick<
  SandboxedCommand,
  'cwd' | 'writable' | 'readable' | 'readOnly' | 'mounts' | 'sockets' | 'network' | 'limits'
>;

/** Everything that can be seen inside, one by one. What is not named here is not there. */
export function viewOf(command: Viewer, { toolchains, hidden, staged }: Surrounding): Step[] {
  const { network, sockets = [], limits } = command;
  const show = (path: string, as = path): Step => ['show', path, as];
  const showText = (text: string, as: string): Step => show(staged.put(text), as);
  const memory = (bytes: number, path: string): Step => [
    'memory',
    String(Math.min(bytes, limits?.memoryBytes ?? bytes)),
    path,
  ];
  const given = givenPaths(command, hidden);
  const writable = given.filter(({ isWritable }) => isWritable);
  // A command may also start in a worktree that it can only read.
  const isTree = (one: Given): boolean => one.isWritable || isWithin(command.cwd, one.path);
  const trees = given.filter(isTree);
  const outside = writable.map(({ real }) => real);
  const etc = etcFiles(network);
  const shown = [...SYSTEM_FOLDERS, ...toolchains];
  const covered = hidden.filter((one) => shown.some((folder) => isBelow(one, folder)));
  const repositories = trees.flatMap((one) => ownRepositoryOf(one.real).map((path) => insideOf(one, path)));
  // In a folder of the host that is shown as it is, there is no place for one that the host does not have.
  const asOnHost = [...shown, ...given.map(({ path }) => path)];
  const hasPlace = (path: string): boolean => isPlain(path, 'folder') || !asOnHost.some((one) => isBelow(path, one));
  return [
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ['processes', '/proc'],
    ...procMasks().map(([real, path]) => show(real, path)),
    ['devices', '/dev'],
    memory(SMALL_TMP_BYTES, '/dev/shm'),
    ['seal', '/dev'],
    memory(TMP_BYTES, '/tmp'),
    ['folder', HOME_INSIDE],
    memory(SMALL_TMP_BYTES, '/var/tmp'),
    ['folder', '/run'],
    ...etc.shown.map(([real, as]) => show(real, as)),
    ...etc.own.map(([as, text]) => showText(text, as)),
    ...toolchains.map((folder) => show(folder)),
    ...covered.map((one): Step => ['cover', one]),
    ...given.map(({ real, path, isWritable }): Step => [isWritable ? 'give' : 'show', real, path]),
    ...trees.flatMap((one) => {
      const git = visibleGitOf(one.real, outside);
      if (git === null) return [];
      return [
        show(git.link, insideOf(one, git.link)),
        ...git.paths.map((path) => show(path)),
        showText(git.config.text, git.config.path),
        ...git.throwAway.filter(hasPlace).map((path) => memory(THROW_AWAY_BYTES, path)),
      ];
    }),
    ...repositories.map((path): Step => ['cover', path]),
    ...sockets.flatMap(({ outside, inside }): Step[] => [['folder', dirname(inside)], ['give', outside, inside]]), // prettier-ignore
    ...[...covered, ...repositories].map((path): Step => ['seal', path]),
  ];
}

/** Where a path below a given folder is found inside. */
const insideOf = ({ real, path }: Given, outside: string): string => `${path}${outside.slice(real.length)}`;

/** On a merged system most of them are links into /usr. */
function systemFolder(folder: string): Step[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  return [found.isSymbolicLink() ? ['link', readlinkSync(folder), folder] : ['show', folder, folder]];
}
