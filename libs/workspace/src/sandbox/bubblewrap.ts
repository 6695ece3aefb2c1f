import { assertNever } from '#kernel';
import { SANDBOX_USER } from './etc-files.js';
import type { Step } from './view.js';
import type { Walls } from './walled.js';

export interface Bubblewrap {
  readonly program: string;
  /** Nobody inside can make namespaces of his own. Older versions cannot keep him from it. */
  readonly canForbidUserns: boolean;
}

export const bubblewrapWalls =
  ({ program, canForbidUserns }: Bubblewrap): Walls =>
  ({ steps, network, cwd }) => [
    ...['/usr/bin/env', '--ignore-signal=TERM', program],
    ...isolation(network, canForbidUserns),
    ...steps.flatMap(argumentsOf),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
  ];

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

function argumentsOf(step: Step): string[] {
  switch (step[0]) {
    case 'show':
      return ['--ro-bind', step[1], step[2]];
    case 'give':
      return ['--bind', step[1], step[2]];
    case 'link':
      return ['--symlink', step[1], step[2]];
    case 'memory':
      return ['--size', step[1], '--perms', '1777', '--tmpfs', step[2]];
    case 'folder':
      return ['--dir', step[1]];
    case 'cover':
      return ['--tmpfs', step[1]];
    case 'seal':
      return ['--remount-ro', step[1]];
    case 'processes':
      return ['--proc', step[1]];
    case 'devices':
      return ['--dev', step[1]];
    default:
      return assertNever(step[0]);
  }
}
