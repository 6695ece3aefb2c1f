import { SANDBOX_USER } from './etc-files.js';
import type { Change } from './covers.js';

/** What the machine lets us do without bubblewrap, by the programs that every Debian has. */
export interface Namespaces {
  /** Whether there is a pid namespace. */
  readonly ownsProcesses: boolean;
  /** Whether folders can be covered. */
  readonly hidesSecrets: boolean;
  /** Whether there is a network of its own whose loopback works. */
  readonly cutsNetwork: boolean;
}

export const NO_NAMESPACES: Namespaces = { ownsProcesses: false, hidesSecrets: false, cutsNetwork: false };

/** From the best to the least. */
export const POSSIBLE_NAMESPACES: readonly Namespaces[] = [
  { ownsProcesses: true, hidesSecrets: true, cutsNetwork: true },
  { ownsProcesses: true, hidesSecrets: true, cutsNetwork: false },
  { ownsProcesses: true, hidesSecrets: false, cutsNetwork: false },
];

/** A loopback starts out down. Perl is on every Debian, `ip` is not; the number is SIOCSIFFLAGS. */
const LOOPBACK_UP = `perl -MSocket -e 'my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) && ioctl(S, 0x8914, $up) or die "lo: $!\\n"'`;

/**
 * Runs as the root of a namespace. The host as it was is bound to a folder and entered, so that it can be reached by
 * relative names while its places are covered, and let go at the end.
 */
const CHANGE_VIEW = `
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 022
cwd=$1 stash=$2 network=$3
shift 3
if [ "$network" = own ]; then ${LOOPBACK_UP}; fi
mount --rbind / "$stash"
cd "$stash"
while [ "$1" != run ]; do
  case $1 in
    cover) mount -t tmpfs -o mode=755 tmpfs "$2"; shift 2 ;;
    seal) mount -c -o remount,bind,ro "$2"; shift 2 ;;
    *)
      if [ ! -e "$3" ]; then
        mkdir -p "\${3%/*}"
        if [ -d ".$2" ]; then mkdir "$3"; else : > "$3"; fi
      fi
      mount -c --rbind ".$2" "$3"
      if [ "$1" = show ]; then mount -c -o remount,bind,ro "$3"; fi
      shift 3 ;;
  esac
done
shift
umount -c -l /proc/self/cwd
cd "$cwd"
unset OLDPWD
exec "$@"`;

export interface View {
  readonly cwd: string;
  /** An empty folder of ours. */
  readonly stash: string;
  readonly network: 'none' | 'host';
  readonly changes: readonly Change[];
}

const ID = String(SANDBOX_USER.id);
const AS_NOBODY = ['--user', `--map-user=${ID}`, `--map-group=${ID}`];
const OWN_PROCESSES = ['--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--ipc'];

/**
 * What opens the namespaces; with it dies everything in them. Folders are covered by the root of a first user namespace.
 * The command is in a second one, where it has no rights, and to whose mounts those of the first are locked: whoever
 * makes namespaces of his own in there cannot take the covers off either.
 */
export function keeper(can: Namespaces, view: View): string[] {
  if (!can.ownsProcesses) return [];
  const unshare = ['/usr/bin/env', '--ignore-signal=TERM', 'unshare'];
  if (!can.hidesSecrets) return [...unshare, ...AS_NOBODY, ...OWN_PROCESSES, '--'];
  const isAlone = can.cutsNetwork && view.network === 'none';
  return [
    ...[...unshare, '--user', '--map-root-user', '--mount', '--propagation=private', ...(isAlone ? ['--net'] : [])],
    ...[...OWN_PROCESSES, '--', 'sh', '-c', CHANGE_VIEW, 'view', view.cwd, view.stash, isAlone ? 'own' : 'host'],
    ...[...view.changes.flat(), 'run', 'unshare', ...AS_NOBODY, '--mount', '--'],
  ];
}
