import { join } from 'node:path';
import { SANDBOX_USER } from './etc-files.js';
import type { Step } from './view.js';
import type { Walls } from './walled.js';

export interface Unshare {
  /** Whether there is a network of its own whose loopback works. */
  readonly cutsNetwork: boolean;
  /** Nobody inside can make namespaces of his own. */
  readonly canForbidUserns: boolean;
  /** An empty folder, by its real path, that becomes the root inside. Outside nothing is ever seen in it. */
  readonly root: string;
}

/** A loopback starts out down. Perl is on every Debian, `ip` is not; the number is SIOCSIFFLAGS. */
const LOOPBACK_UP = `perl -MSocket -e 'my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) && ioctl(S, 0x8914, $up) or die "lo: $!\\n"'`;

/**
 * Runs as the root of a first user namespace, with the programs that every Debian has: builds what is seen inside in an
 * empty folder, makes that the root, and lets go of the host.
 */
const BUILD = `
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 022
root=$1 cwd=$2 network=$3 userns=$4
shift 4
hostname sandbox
if [ "$network" = own ]; then ${LOOPBACK_UP}; fi
if [ "$userns" = forbid ]; then echo 1 > /proc/sys/user/max_user_namespaces; fi
folder() { [ -d ".$1" ] || mkdir -p ".$1"; }
put() {
  if [ -d "$1" ]; then folder "$2"
  elif [ ! -e ".$2" ]; then folder "\${2%/*}"; : > ".$2"; fi
  mount -c --rbind "$1" ".$2"
}
seal() { mount -c -o remount,bind,ro "$root$1"; }
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root"
cd "$root"
while [ "$1" != run ]; do
  case $1 in
    show) put "$2" "$3"; seal "$3"; shift 3 ;;
    give) put "$2" "$3"; shift 3 ;;
    link) ln -s "$2" ".$3"; shift 3 ;;
    memory) folder "$3"; mount -t tmpfs -o "mode=1777,size=$2,nosuid,nodev" tmpfs ".$3"; shift 3 ;;
    terminals) folder "$2"; mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ".$2"; shift 2 ;;
    folder) folder "$2"; shift 2 ;;
    cover) folder "$2"; mount -t tmpfs -o mode=755,nosuid,nodev tmpfs ".$2"; shift 2 ;;
    seal) seal "$2"; shift 2 ;;
    *) echo "not a step: $1" >&2; exit 1 ;;
  esac
done
shift
mkdir host
pivot_root . host
umount -l /host
rmdir /host
mount -c -o remount,bind,ro /
cd "$cwd"
unset OLDPWD
exec "$@"`;

/** First process of the namespace: waits for the command, and buries what it leaves. */
const INIT = ['sh', '-c', 'umask 022; "$@"; exit $?', 'init'];

const ID = String(SANDBOX_USER.id);
const AS_NOBODY = ['--user', `--map-user=${ID}`, `--map-group=${ID}`];
const OWN_PROCESSES = ['--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--ipc', '--uts'];
const UNSHARE = ['/usr/bin/env', '--ignore-signal=TERM', 'unshare'];

/** Only the processes are kept together; everything else is as outside. */
export const processWalls = (): string[] => [...UNSHARE, ...AS_NOBODY, ...OWN_PROCESSES, '--', ...INIT];

/**
 * What is seen inside is built by the root of a first user namespace. The command is in a second one, where it has no
 * rights, and to whose mounts those of the first are locked: nobody inside can take them apart.
 */
export const unshareWalls =
  ({ cutsNetwork, canForbidUserns, root }: Unshare): Walls =>
  ({ steps, network, cwd }) => {
    const isAlone = cutsNetwork && network === 'none';
    const options = [root, cwd, isAlone ? 'own' : 'host', canForbidUserns ? 'forbid' : 'allow'];
    return [
      ...[...UNSHARE, '--user', '--map-root-user', '--mount', '--propagation=private', ...(isAlone ? ['--net'] : [])],
      ...[...OWN_PROCESSES, '--', 'sh', '-c', BUILD, 'build', ...options, ...steps.flatMap(inDetail).flat()],
      ...['run', 'unshare', ...AS_NOBODY, '--mount', '--', ...INIT],
    ];
  };

type DetailedStep = Step | readonly ['terminals', path: string];

function inDetail(step: Step): DetailedStep[] {
  if (step[0] === 'processes') return [['give', '/proc', step[1]]];
  return step[0] === 'devices' ? devices(step[1]) : [step];
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const STREAMS = ['stdin', 'stdout', 'stderr'];

function devices(folder: string): DetailedStep[] {
  return [
    ['cover', folder],
    ...DEVICES.map((name): Step => ['give', join('/dev', name), join(folder, name)]),
    ['link', '/proc/self/fd', join(folder, 'fd')],
    ...STREAMS.map((name, nth): Step => ['link', `fd/${String(nth)}`, join(folder, name)]),
    ['terminals', join(folder, 'pts')],
    ['link', 'pts/ptmx', join(folder, 'ptmx')],
  ];
}
