import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunUnprivileged, hasBwrap, runUnprivileged, tempFolder, type TempFolder } from '#testing';
import { ATTEMPTS, SECRET, type Surroundings } from './escape-attempts.fixture.js';
import { hasNamespaces, sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';
import type { SandboxWish } from './sandbox.port.js';

let folder: TempFolder;
let world: SandboxWorld;
let port: number;
let bystander: ReturnType<typeof spawn>;
const servers: Server[] = [];
const socketName = `qralph-escape-${String(process.pid)}`;
const outside = (name: string): string => join(folder.path, name);

const surroundings = (): Surroundings => ({
  dataDir: world.dataDir,
  home: homedir(),
  bystander: bystander.pid ?? 0,
  service: process.pid,
  port,
  socketName,
  outside,
});

/** Nothing outside has changed. */
function expectPeace(): void {
  expect(readFileSync(outside('victim'), 'utf8')).toBe('untouched');
  expect(readdirSync(join(world.dataDir, 'worktrees'))).toEqual(['another', 'project']);
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
}

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
  for (const name of ['data/cache/notes', 'data/worktrees/another/source.ts', 'home/.key']) {
    mkdirSync(dirname(outside(name)), { recursive: true });
    writeFileSync(outside(name), SECRET);
  }
  const server = await listen(0);
  ({ port } = server.address() as { port: number });
  await listen(`\0${socketName}`);
  await listen(outside('socket'));
  // Lives until it is killed or its input ends: as long as this file takes, however slow the machine is.
  bystander = spawn('cat', { env: { KEY: SECRET }, stdio: ['pipe', 'ignore', 'ignore'] });
});
afterAll(async () => {
  for (const server of servers) server.close();
  const gone = once(bystander, 'exit');
  bystander.kill('SIGKILL');
  await gone;
  await folder.remove();
});

async function expectInVain(wish: SandboxWish, script: string): Promise<void> {
  const result = await world.sandboxes.pick(wish).run(world.shell(script));
  expect(result.exitCode).toBeGreaterThan(0);
  expect(result.endedBy).toBe('itself');
  expect(`${result.stdout}${result.stderr}`).not.toContain(SECRET);
  expectPeace();
}

const WALLED = [...(hasBwrap() ? ['auto' as const] : []), ...(hasNamespaces() ? ['limited' as const] : [])];

describe.each(WALLED)('from inside of the sandbox %s nobody can', (wish) => {
  it.each(ATTEMPTS)('%s', (_, script) => expectInVain(wish, script(surroundings())));

  it('leave a program behind that the service would run', async () => {
    const bin = join(world.worktree, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['sh', 'setpriv', 'env', 'bwrap']) {
      writeFileSync(join(bin, name), `#!/bin/bash\necho ran > ${outside('ran')}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const env = { PATH: `${bin}:/usr/bin:/bin`, LD_PRELOAD: join(bin, 'sh'), BASH_ENV: join(bin, 'sh') };
    const command = world.shell('', { file: '/usr/bin/id', args: [], env });
    expect(await world.sandboxes.pick(wish).run(command)).toMatchObject({ exitCode: 0 });
    expect(() => readFileSync(outside('ran'))).toThrow('ENOENT');
  });
});

/** What succeeds for everybody outside: so that it fails inside says something. */
const OPEN = new Set([
  'read the admin key', 'list the data folder', 'find the admin key by going up', 'follow a link to the admin key',
  'read another file of the data folder', 'read the worktree of another project',
  'read another repository', 'see processes of the host', 'read the environment of the host',
  'reach a server on the host', 'reach an abstract socket of the host', 'reach a socket in the file system',
]); // prettier-ignore

describe('without a sandbox', () => {
  it.each(ATTEMPTS.filter(([what]) => OPEN.has(what)))('anybody can: %s', async (_, script) => {
    const result = await world.sandboxes.pick('none').run(world.shell(script(surroundings())));
    expect(result.exitCode).toBe(0);
  });
});

describe.runIf(hasNamespaces())('the limited sandbox', () => {
  it('keeps as much as bubblewrap where the machine lets it', () => {
    const { guarantees } = world.sandboxes.pick('limited');
    expect(guarantees).toEqual({ hidesFiles: true, cutsNetwork: true, ownsProcesses: true });
  });
});

// Last, because it gives the folder away.
describe.runIf(canRunUnprivileged())('the same service as a normal user', () => {
  it.each(WALLED)('is not escaped from either: %s', (wish) => {
    const home = outside('home');
    const scripts = ATTEMPTS.map(([, script]) => script({ ...surroundings(), home }));
    const fixture = new URL('./sandboxed-worker.fixture.ts', import.meta.url);
    const worker = runUnprivileged(fixture, [folder.path, wish, ...scripts], { owns: folder.path, home });
    const told = worker.stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore
    const ends = told.filter((one) => 'exitCode' in one);
    expect(worker.stderr).toBe('');
    expect(ends).toHaveLength(ATTEMPTS.length);
    expect(ATTEMPTS.filter((_, nth) => ends[nth]?.['exitCode'] === 0)).toEqual([]);
    expect(JSON.stringify(ends)).not.toContain(SECRET);
    expectPeace();
  });
});
