export const SECRET = 'the-secret-of-the-house';

/** What there is outside to be reached. */
export interface Surroundings {
  readonly dataDir: string;
  readonly home: string;
  readonly bystander: number;
  readonly service: number;
  readonly port: number;
  /** Of a socket without a file. */
  readonly socketName: string;
  outside(name: string): string;
}

type Attempt = readonly [what: string, script: (at: Surroundings) => string];

/** Connects and prints what it is told. */
const ask = (target: string): string =>
  `node -e 'require("net").connect(${target}).on("data", (d) => process.stdout.write(d)).on("error", (e) => { console.error(e.code); process.exit(1) })'`;

/** What is tried inside. Each ends with 0 only if it has succeeded. */
export const ATTEMPTS: readonly Attempt[] = [
  ['read the admin key', (at) => `cat ${at.dataDir}/admin.key`],
  ['list the data folder', (at) => `ls ${at.dataDir} | grep -v -E '^(worktrees|sandbox)$'`],
  ['read another file of the data folder', (at) => `cat ${at.dataDir}/cache/notes`],
  ['read the worktree of another project', (at) => `cat ../another/source.ts || cat ${at.dataDir}/worktrees/another/source.ts`],
  ['find the admin key by going up', () => `cat ../../admin.key`],
  ['follow a link to the admin key', (at) => `ln -sf ${at.dataDir}/admin.key link && cat link`],
  ['read another repository', (at) => `cat ${at.outside('other-repository/source.ts')}`],
  ['read a key in the home folder', (at) => `cat ${at.home}/.key`],
  ['look into the home folder', (at) => `ls ${at.home}/* ${at.home}/.[a-z]*`],
  ['look into the home folders of others', () => 'ls /root/* /root/.[a-z]* /home/*/*'],
  ['read the passwords of the machine', () => 'cat /etc/shadow'],
  ['read private keys of the machine', () => 'ls /etc/ssl/private /etc/ssh'],
  ['see who has an account', () => `grep -v -E '^(root|sandbox|nobody):' /etc/passwd`],
  ['write beside the worktree', () => 'echo x > ../beside; exit 1'],
  ['write to a file outside', (at) => `echo x > ${at.outside('victim')}; exit 1`],
  ['write to the system', () => 'echo x > /usr/bin/x || echo x > /etc/x || echo x > /x || echo x > /dev/x'],
  ['become root', () => 'su -c true || sudo -n true'],
  ['mount something', () => 'mount -t tmpfs none /tmp'],
  ['mount something as root of a namespace', () => 'unshare --user --map-root-user --mount mount -t tmpfs none /mnt'],
  ['uncover the data folder', (at) => `umount -l ${at.dataDir} && cat ${at.dataDir}/admin.key`],
  ['uncover the data folder as root of a namespace', (at) => `unshare --user --map-root-user --mount sh -c 'umount -l ${at.dataDir}; umount ${at.dataDir}; cat ${at.dataDir}/admin.key'`],
  ['see below the cover from aside', (at) => `unshare --user --map-root-user --mount sh -c 'mount --bind ${at.outside('.')} /mnt; cat /mnt/data/admin.key'`],
  ['make a read-only folder writable', () => 'mount -o remount,rw,bind /usr'],
  ['make a device file', () => 'mknod disk b 8 0 || mknod disk b 254 0'],
  ['read a disk', () => 'ls /dev/[shv]d* /dev/nvme* /dev/mem /dev/kmsg 2>/dev/null | grep .'],
  ['read the memory of the kernel', () => 'head -c 1 /proc/kcore'],
  ['steer the kernel', () => 'true >> /proc/sys/kernel/core_pattern || true >> /proc/sysrq-trigger || true >> /proc/mtrr'],
  ['see the addresses of the kernel', () => 'grep . /proc/kallsyms || grep . /proc/keys'],
  ['see processes of the host', (at) => `ls -d /proc/${String(at.bystander)}`],
  ['read the environment of the host', () => `cat /proc/[0-9]*/environ 2>/dev/null | grep -a -q ${SECRET}`],
  ['kill a process of the host', (at) => `kill -9 ${String(at.bystander)} || kill -9 ${String(at.service)}`],
  ['enter the namespaces of the host', () => 'nsenter -t 1 -m true'],
  ['reach a server on the host', (at) => ask(`${String(at.port)}, "127.0.0.1"`)],
  ['reach the internet', () => ask('53, "1.1.1.1"')],
  ['reach an abstract socket of the host', (at) => `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("\\0${at.socketName}")) or die $!; print <S>'`],
  ['reach a socket in the file system', (at) => ask(`"${at.outside('socket')}"`)],
  ['give files to somebody else', () => 'touch mine && chown 0 mine'],
  ['leave the root by an open folder', () => `ls /proc/self/fd/[3-9] 2>/dev/null | grep .`],
]; // prettier-ignore
