import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { openCommands } from './commands.fixture.js';
import { GRACE_MS } from './index.js';
import { writtenSince } from './written-since.js';

const MIB = 1024 ** 2;
let commands: ReturnType<typeof openCommands>;
beforeEach(() => {
  commands = openCommands();
});
afterEach(() => commands.folder.remove());

const disk = (): { disk: { folders: string[]; bytes: number } } => ({
  disk: { folders: [commands.folder.path, join(commands.folder.path, 'not-there')], bytes: 64 * MIB },
});

describe('a command that may take so much of the disk', () => {
  it('is ended at once when its files take more, however many they are', async () => {
    const script =
      'trap "" TERM; n=0; while [ $n -lt 400 ]; do fallocate -l 8M f$n; n=$((n + 1)); sleep 0.02; done; sleep 30';
    const startedAt = performance.now();
    const result = await commands.runner.run(commands.shell(script, { limits: disk() }));
    expect(result).toMatchObject({ exitCode: null, endedBy: 'disk' });
    expect(performance.now() - startedAt).toBeLessThan(20_000 - GRACE_MS);
    expect(commands.registry.records).toEqual([]);
  });

  it('is told of when it was faster than the watch', async () => {
    const script = 'for n in 1 2 3; do fallocate -l 40M f$n; done';
    expect(await commands.runner.run(commands.shell(script, { limits: disk() }))).toMatchObject({ endedBy: 'disk' });
  });

  it('may write as much over time, if it does not keep it', async () => {
    const script = 'for n in 1 2 3 4; do fallocate -l 40M f; rm f; done; fallocate -l 8M kept';
    const result = await commands.runner.run(commands.shell(script, { limits: disk() }));
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'itself' });
  });

  it('is not ended for what another one writes', async () => {
    const waits = commands.shell('touch begun; while [ ! -e go ]; do sleep 0.05; done', {
      limits: { disk: { folders: [join(commands.folder.path, 'own')], bytes: 64 * MIB } },
    });
    mkdirSync(join(commands.folder.path, 'own'));
    const running = commands.runner.run(waits);
    await commands.appears('begun');
    const hog = await commands.runner.run(
      commands.shell('for n in 1 2 3; do fallocate -l 40M f$n; done; sleep 30', { limits: disk() }),
    );
    expect(hog).toMatchObject({ endedBy: 'disk' });
    writeFileSync(join(commands.folder.path, 'go'), '');
    expect(await running).toMatchObject({ exitCode: 0, endedBy: 'itself' });
  });
});

describe('what was written since', () => {
  const inFolder = (name: string): string => join(commands.folder.path, name);
  const file = (name: string, bytes: number): void => writeFileSync(inFolder(name), Buffer.alloc(bytes, 1));

  it('counts files once, wherever they lie, and follows no link', async () => {
    mkdirSync(inFolder('a/b'), { recursive: true });
    file('a/b/one', 2 * MIB);
    linkSync(inFolder('a/b/one'), inFolder('two'));
    symlinkSync('/usr', inFolder('usr'));
    const written = await writtenSince(commands.folder.path, 0, Infinity);
    expect(written).toBeGreaterThanOrEqual(2 * MIB);
    expect(written).toBeLessThan(3 * MIB);
  });

  it('is nothing of what was there before, whatever time a file says that it is from', async () => {
    file('old', 2 * MIB);
    const since = statSync(inFolder('old')).ctimeMs + 1;
    expect(await writtenSince(commands.folder.path, since, Infinity)).toBe(0);
    await eventually('the clock of files has moved on', () => {
      file('new', 2 * MIB);
      utimesSync(inFolder('new'), 0, 0);
      return statSync(inFolder('new')).ctimeMs >= since;
    });
    const written = await writtenSince(commands.folder.path, since, Infinity);
    expect(written).toBeGreaterThanOrEqual(2 * MIB);
    expect(written).toBeLessThan(3 * MIB);
  });

  it('is not counted to the end where it is enough, and unknown where nobody can look', async () => {
    for (let nth = 0; nth < 4; nth += 1) file(`f${String(nth)}`, 2 * MIB);
    expect(await writtenSince(commands.folder.path, 0, MIB)).toBeLessThan(4 * MIB);
    expect(await writtenSince(inFolder('not-there'), 0, MIB)).toBeNull();
    chmodSync(inFolder('f0'), 0o000);
    expect(await writtenSince(commands.folder.path, 0, Infinity)).toBeGreaterThanOrEqual(8 * MIB);
  });
});
