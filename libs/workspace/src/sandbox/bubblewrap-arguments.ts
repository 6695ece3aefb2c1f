import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { etcFiles, SANDBOX_USER } from './etc-files.js';
import type { GitView } from './git-view.js';
import { procMasks } from './proc-masks.js';
import { isBelow, type Given } from './sandbox-paths.js';
import type { SandboxedCommand } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import { SYSTEM_FOLDERS } from './toolchains.js';

export const HOME_INSIDE = '/tmp/home';
/** What is written there lies in memory, and is never more than the command may have of it. */
const TMP_BYTES = 2 * 1024 ** 3;
const SMALL_TMP_BYTES = 256 * 1024 ** 2;

export interface Inside {
  readonly toolchains: readonly string[];
  readonly hidden: readonly string[];
  readonly given: readonly Given[];
  readonly git: readonly GitView[];
  /** Whole repositories in what is given: they stay empty folders. */
  readonly repositories: readonly string[];
  readonly staged: StagedFiles;
  /** Nobody inside can make namespaces of his own. Older versions cannot keep him from it. */
  readonly canForbidUserns: boolean;
}

/** Everything that can be seen inside, one by one. What is not named here is not there. */
export function bubblewrapArguments(
  { network, sockets = [], cwd, limits }: Pick<SandboxedCommand, 'network' | 'sockets' | 'cwd' | 'limits'>,
  { toolchains, hidden, given, git, repositories, staged, canForbidUserns }: Inside,
): string[] {
  const show = (path: string, as = path): string[] => ['--ro-bind', path, as];
  const showText = (text: string, as: string): string[] => show(staged.put(text), as);
  const upTo = (bytes: number): string => String(Math.min(bytes, limits?.memoryBytes ?? bytes));
  const etc = etcFiles(network);
  const shown = [...SYSTEM_FOLDERS, ...toolchains];
  return [
    ...isolation(network, canForbidUserns),
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...[
      '--proc',
      '/proc',
      ...procMasks(),
      '--dev',
      '/dev',
      '--size',
      upTo(SMALL_TMP_BYTES),
      '--perms',
      '1777',
      '--tmpfs',
      '/dev/shm',
    ],
    ...['--size', upTo(TMP_BYTES), '--perms', '1777', '--tmpfs', '/tmp', '--dir', HOME_INSIDE],
    ...['--size', upTo(SMALL_TMP_BYTES), '--perms', '1777', '--tmpfs', '/var/tmp', '--dir', '/run'],
    ...etc.shown.flatMap(([real, as]) => show(real, as)),
    ...etc.own.flatMap(([as, text]) => showText(text, as)),
    ...toolchains.flatMap((folder) => show(folder)),
    ...hidden.filter((one) => shown.some((folder) => isBelow(one, folder))).flatMap((one) => ['--tmpfs', one]),
    ...given.flatMap(({ real, path, isWritable }) => (isWritable ? ['--bind', real, path] : show(real, path))),
    ...git.flatMap(({ link, paths, config }) => [
      ...[link, ...paths].flatMap((path) => show(path)),
      ...showText(config.text, config.path),
    ]),
    ...repositories.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...sockets.flatMap(({ outside, inside }) => ['--dir', dirname(inside), '--bind', outside, inside]),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', cwd],
  ];
}

function isolation(network: 'none' | 'host', canForbidUserns: boolean): string[] {
  const id = String(SANDBOX_USER.id);
  return [
    ...['--unshare-all', '--unshare-user', ...(network === 'host' ? ['--share-net'] : [])],
    ...(canForbidUserns ? ['--disable-userns'] : []),
    // Not root, even where the service is: programs that find themselves to be root try what only root may.
    ...['--uid', id, '--gid', id, '--cap-drop', 'ALL', '--hostname', 'sandbox'],
    ...['--die-with-parent', '--new-session'],
  ];
}

/** On a merged system most of them are links into /usr. */
function systemFolder(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}
