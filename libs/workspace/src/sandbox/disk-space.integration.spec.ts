import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBwrap, tempFolder, type TempFolder } from '#testing';
import { limitsOf } from './inner-command.js';
import { hasNamespaces, sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';

const [MIB, GIB] = [1024 ** 2, 1024 ** 3];
let folder: TempFolder;
let world: SandboxWorld;
beforeAll(async () => {
  folder = tempFolder('disk-space');
  world = await sandboxWorld(folder.path);
});
afterAll(() => folder.remove());

const KINDS = [...(hasBwrap() ? ['auto' as const] : []), ...(hasNamespaces() ? ['limited' as const] : [])];

describe.each([...KINDS, 'none' as const])('the disk space of a command in %s', (wish) => {
  it('is limited over all of its files', async () => {
    const limits = { disk: { folders: [world.worktree], bytes: 64 * MIB } };
    const script = 'for n in 1 2 3; do fallocate -l 40M f$n; done';
    const result = await world.sandboxes.pick(wish).run(world.shell(script, { limits }));
    expect(result).toMatchObject({ endedBy: 'disk' });
    for (const nth of [1, 2, 3]) rmSync(join(world.worktree, `f${String(nth)}`), { force: true });
  });

  it('is limited where nobody says so, wherever it may write', () => {
    const { disk } = limitsOf(world.shell('true', { writable: ['/one', '/two'], limits: { processes: 3 } }));
    expect(disk).toEqual({ folders: ['/one', '/two'], bytes: 8 * GIB });
  });
});

describe.each(KINDS)('one file of a command in %s', (wish) => {
  it('cannot be larger than 2 GiB', async () => {
    const file = join(world.worktree, 'sparse');
    const result = await world.sandboxes.pick(wish).run(world.shell('truncate -s 2G sparse; truncate -s 2049M sparse'));
    expect(result.exitCode).toBeGreaterThan(0);
    expect(existsSync(file) && statSync(file).size).toBe(2 * GIB);
    rmSync(file);
  });
});
