import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBwrap, tempFolder, type TempFolder } from '#testing';
import { sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';

const MIB = 1024 * 1024;
let folder: TempFolder;
let world: SandboxWorld;

beforeAll(async () => {
  folder = tempFolder('bubblewrap-memory');
  world = await sandboxWorld(folder.path);
});
afterAll(() => folder.remove());

describe.runIf(hasBwrap())('what a command in bubblewrap writes to memory', () => {
  const limits = { memoryBytes: 64 * MIB };

  it('finds no more room than the command may have memory', async () => {
    const script = 'df --output=size -B1 /tmp /var/tmp /dev/shm | tail -n 3';
    const { stdout } = await world.sandboxes.pick('auto').run(world.shell(script, { limits }));
    expect(stdout.trim().split(/\s+/).map(Number)).toEqual(Array(3).fill(limits.memoryBytes));
  });

  it('counts against its memory', async () => {
    const script = 'head -c 60M /dev/zero > /tmp/one; head -c 60M /dev/zero > /var/tmp/two; sleep 15';
    const result = await world.sandboxes.pick('auto').run(world.shell(script, { limits }));
    expect(result).toMatchObject({ exitCode: null, endedBy: 'memory' });
  });
});
