import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { hasNamespaces, type SandboxWorld, sandboxWorld } from './sandbox.fixture.js';
import type { Sandbox, SandboxWish } from './sandbox.port.js';

const WISHES: readonly SandboxWish[] = ['auto', 'limited'];

describe.runIf(hasNamespaces()).each(WISHES)('folders under another path in the sandbox: %s', (wish) => {
  let folder: ReturnType<typeof tempFolder>;
  let world: SandboxWorld;
  let sandbox: Sandbox;
  let room: string;
  beforeEach(async () => {
    folder = tempFolder('mounts');
    world = await sandboxWorld(folder.path);
    sandbox = world.sandboxes.pick(wish);
    room = join(world.dataDir, 'rooms', 'project');
    mkdirSync(join(room, 'node_modules'), { recursive: true });
    mkdirSync(join(world.dataDir, 'store'));
    writeFileSync(join(world.worktree, 'a.txt'), 'of the worktree');
    writeFileSync(join(room, 'a.txt'), 'of the room');
    writeFileSync(join(world.dataDir, 'store/one.js'), 'one');
  });
  afterEach(() => folder.remove());

  const mounts = () => [
    { outside: room, inside: world.worktree, isWritable: true },
    { outside: join(world.dataDir, 'store'), inside: join(world.worktree, 'node_modules'), isWritable: false },
  ];
  const run = (script: string) => sandbox.run(world.shell(script, { writable: [], mounts: mounts() }));

  it('are found there, and hide what the host has there', async () => {
    expect(sandbox.canMount).toBe(true);
    const { stdout } = await run(`cat a.txt node_modules/one.js; ls ${room} || true`);
    expect(stdout).toBe('of the roomone');
  });

  it('are writable only if they were given so', async () => {
    const { stdout } = await run('echo new > a.txt; echo new > node_modules/one.js || echo refused');
    expect(stdout).toBe('refused\n');
    expect(readFileSync(join(room, 'a.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(world.worktree, 'a.txt'), 'utf8')).toBe('of the worktree');
  });

  it('are refused if they hold a hidden folder, or lie behind a link', async () => {
    symlinkSync(room, join(world.dataDir, 'link'));
    for (const outside of [world.dataDir, '/', join(world.dataDir, 'link'), join(world.dataDir, 'missing')]) {
      const command = world.shell('true', { mounts: [{ outside, inside: '/mnt/x', isWritable: false }] });
      await expect(sandbox.run(command), outside).rejects.toMatchObject({ code: 'SANDBOX_PATH_REFUSED' });
    }
  });
});
