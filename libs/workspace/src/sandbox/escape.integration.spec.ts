import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBwrap, tempFolder, type TempFolder } from '#testing';
import { sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';

const SECRET = 'the-secret-of-the-house';
let folder: TempFolder;
let world: SandboxWorld;
let port: number;
let bystander: ReturnType<typeof spawn>;
const servers: Server[] = [];
const outside = (name: string): string => join(folder.path, name);

async function listen(at: number | string): Promise<Server> {
  const server = createServer((socket) => socket.end(SECRET)).listen(at);
  servers.push(server);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  folder = tempFolder('escape');
  world = await sandboxWorld(folder.path);
  writeFileSync(join(world.dataDir, 'admin.key'), SECRET);
  mkdirSync(outside('other-repository/.git'), { recursive: true });
  writeFileSync(outside('other-repository/source.ts'), SECRET);
  writeFileSync(outside('victim'), 'untouched');
  const server = await listen(0);
  ({ port } = server.address() as { port: number });
  await listen('\0qralph-escape-test');
  await listen(outside('socket'));
  bystander = spawn('sleep', ['60'], { env: { KEY: SECRET } });
});
afterAll(async () => {
  for (const server of servers) server.close();
  const gone = once(bystander, 'exit');
  bystander.kill('SIGKILL');
  await gone;
  await folder.remove();
});

/** Connects and prints what it is told. */
const ask = (target: string): string =>
  `node -e 'require("net").connect(${target}).on("data", (d) => process.stdout.write(d)).on("error", (e) => { console.error(e.code); process.exit(1) })'`;

/** What is tried inside. Each ends with 0 only if it has succeeded. */
const ATTEMPTS: readonly (readonly [what: string, script: () => string])[] = [
  ['read the admin key', () => `cat ${world.dataDir}/admin.key`],
  ['list the data folder', () => `ls ${world.dataDir} | grep -v '^worktrees$'`],
  ['find the admin key by going up', () => `cat ../../admin.key`],
  ['follow a link to the admin key', () => `ln -sf ${world.dataDir}/admin.key link && cat link`],
  ['read another repository', () => `cat ${outside('other-repository/source.ts')}`],
  ['look into the home folder', () => `ls ${homedir()}/* ${homedir()}/.[a-z]*`],
  ['look into the home folders of others', () => 'ls /root/* /root/.[a-z]* /home/*/*'],
  ['read the passwords of the machine', () => 'cat /etc/shadow'],
  ['read private keys of the machine', () => 'ls /etc/ssl/private /etc/ssh'],
  ['see who has an account', () => `grep -v -E '^(root|sandbox|nobody):' /etc/passwd`],
  ['write beside the worktree', () => 'echo x > ../beside; exit 1'],
  ['write to a file outside', () => `echo x > ${outside('victim')}; exit 1`],
  ['write to the system', () => 'echo x > /usr/bin/x || echo x > /etc/x || echo x > /x || echo x > /dev/x'],
  ['become root', () => 'su -c true || sudo -n true'],
  ['mount something', () => 'mount -t tmpfs none /tmp'],
  ['mount something as root of a namespace', () => 'unshare --user --map-root-user --mount mount -t tmpfs none /mnt'],
  ['make a read-only folder writable', () => 'mount -o remount,rw,bind /usr'],
  ['make a device file', () => 'mknod disk b 8 0 || mknod disk b 254 0'],
  ['read a disk', () => 'ls /dev/[shv]d* /dev/nvme* /dev/mem /dev/kmsg 2>/dev/null | grep .'],
  ['read the memory of the kernel', () => 'head -c 1 /proc/kcore'],
  ['steer the kernel', () => ': >> /proc/sys/kernel/core_pattern || : >> /proc/sysrq-trigger || : >> /proc/mtrr'],
  ['see the addresses of the kernel', () => 'grep . /proc/kallsyms || grep . /proc/keys'],
  ['see processes of the host', () => `ls -d /proc/${String(bystander.pid)}`],
  ['read the environment of the host', () => `grep -l ${SECRET} /proc/[0-9]*/environ`],
  ['kill a process of the host', () => `kill -9 ${String(bystander.pid)} || kill -9 ${String(process.pid)}`],
  ['enter the namespaces of the host', () => 'nsenter -t 1 -m true'],
  ['reach a server on the host', () => ask(`${String(port)}, "127.0.0.1"`)],
  ['reach the internet', () => ask('53, "1.1.1.1"')],
  ['reach an abstract socket of the host', () => ask('"\\0qralph-escape-test"')],
  ['reach a socket in the file system', () => ask(`"${outside('socket')}"`)],
  ['give files to somebody else', () => 'touch mine && chown 0 mine'],
  ['leave the root by an open folder', () => `ls /proc/self/fd/[3-9] 2>/dev/null | grep .`],
]; // prettier-ignore

describe.runIf(hasBwrap())('from inside of bubblewrap nobody can', () => {
  it.each(ATTEMPTS)('%s', async (_, script) => {
    const result = await world.sandboxes.pick('auto').run(world.shell(script()));
    expect(result.exitCode).toBeGreaterThan(0);
    expect(result.endedBy).toBe('itself');
    expect(`${result.stdout}${result.stderr}`).not.toContain(SECRET);
    expect(readFileSync(outside('victim'), 'utf8')).toBe('untouched');
    expect(readdirSync(join(world.dataDir, 'worktrees'))).toEqual(['project']);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  });

  it('leave a program behind that the service would run', async () => {
    const bin = join(world.worktree, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['sh', 'setpriv', 'env', 'bwrap']) {
      writeFileSync(join(bin, name), `#!/bin/bash\necho ran > ${outside('ran')}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const env = { PATH: `${bin}:/usr/bin:/bin`, LD_PRELOAD: join(bin, 'sh'), BASH_ENV: join(bin, 'sh') };
    const command = world.shell('', { file: '/usr/bin/id', args: [], env });
    expect(await world.sandboxes.pick('auto').run(command)).toMatchObject({ exitCode: 0 });
    expect(() => readFileSync(outside('ran'))).toThrow('ENOENT');
  });
});

describe('the limited sandbox', () => {
  it('says what it does not keep: files are visible, the network is there', async () => {
    const { guarantees } = world.sandboxes.pick('limited');
    expect(guarantees).toMatchObject({ hidesFiles: false, cutsNetwork: false });
  });

  it('gives no command the environment of the service', async () => {
    const { stdout } = await world.sandboxes.pick('limited').run(world.shell('env'));
    const names = stdout.trim().split('\n').map((line) => line.split('=')[0]); // prettier-ignore
    expect(names.sort()).toEqual(['HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'QRALPH_RUN', 'TMPDIR', 'USER']);
  });
});
