import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorMessage } from '#kernel';
import { CommandRunner, startTimeOf } from '#process-monitor';
import { hasBwrap, tempFolder, type TempFolder } from '#testing';
import { openSandboxes, type SandboxWish } from './index.js';
import { LimitedSandbox } from './limited.js';
import { hasNamespaces, ListRegistry, MACHINE_PATH, sandboxWorld } from './sandbox.fixture.js';
import { processWalls } from './unshare.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('open-sandboxes');
});
afterEach(() => folder.remove());

const open = (path = MACHINE_PATH, allowUnsandboxed = false) =>
  openSandboxes({
    commands: new CommandRunner(new ListRegistry(), { host: 'here', path }),
    allowUnsandboxed,
    path,
    hidden: [folder.path],
    folder: join(folder.path, 'sandbox'),
  });

/** The wishes that a refusal says may be asked for instead. */
function namedBy(pick: () => unknown): SandboxWish[] {
  try {
    pick();
    return [];
  } catch (error) {
    const [, advice = ''] = errorMessage(error).split('ask for ');
    return (['auto', 'limited', 'none'] as const).filter((wish) => advice.includes(`\`${wish}\``));
  }
}

describe('the sandbox that is picked', () => {
  it('is weaker than the machine can only where the server allows it', async () => {
    const [strict, lenient] = [await open(), await open(MACHINE_PATH, true)];
    const notAllowed = expect.objectContaining({ code: 'SANDBOX_NOT_ALLOWED' }) as Error;
    expect(() => strict.pick('none')).toThrow(notAllowed);
    if (hasBwrap()) expect(() => strict.pick('limited')).toThrow(notAllowed);
    else expect(strict.pick('limited').kind).toBe('limited');
    expect([lenient.pick('limited').kind, lenient.pick('none').kind]).toEqual(['limited', 'none']);
  });

  it('is named by a refusal only where it would be given', async () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    for (const sandboxes of [await open(), await open(bin)]) {
      for (const wish of ['none', 'limited'] as const) {
        for (const named of namedBy(() => sandboxes.pick(wish))) expect(() => sandboxes.pick(named)).not.toThrow();
      }
      expect(namedBy(() => sandboxes.pick('none'))).toContain('auto');
    }
  });

  it.runIf(hasBwrap())('is bubblewrap where the machine has it and it works', async () => {
    expect((await open()).pick('auto')).toMatchObject({
      kind: 'bubblewrap',
      guarantees: { hidesFiles: true, cutsNetwork: true, ownsProcesses: true },
    });
  });

  it('is limited where bubblewrap is missing, and never none, even where there is no unshare either', async () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    const guarantees = { hidesFiles: false, cutsNetwork: false, ownsProcesses: false };
    expect((await open(bin, true)).pick('auto')).toMatchObject({ kind: 'limited', guarantees });
  });

  it('is limited where bubblewrap may not make its namespaces', async () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n');
    chmodSync(join(bin, 'bwrap'), 0o755);
    expect((await open(`${bin}:${MACHINE_PATH}`)).pick('auto').kind).toBe('limited');
  });
});

describe('the limited sandbox', () => {
  it('says so when there is no such program', async () => {
    const world = await sandboxWorld(folder.path);
    const nothing = world.shell('', { file: 'no-such-program', args: [] });
    expect(await world.sandboxes.pick('limited').run(nothing)).toMatchObject({ exitCode: 127 });
  });
});

describe('the limited sandbox of a machine that allows no namespaces', () => {
  const limited = (registry = new ListRegistry(), walls: string[] = []): Promise<LimitedSandbox> =>
    LimitedSandbox.open({
      commands: new CommandRunner(registry, { host: 'here', path: MACHINE_PATH }),
      toolchains: { path: MACHINE_PATH, folders: [], env: {} },
      folder: join(folder.path, 'runs'),
      walls,
    });

  it('says that it keeps nothing from anybody', async () => {
    expect((await limited()).guarantees).toEqual({ hidesFiles: false, cutsNetwork: false, ownsProcesses: false });
  });

  it('gives each run a HOME and a TMPDIR of its own, and takes them away after it, whatever it left in them', async () => {
    const world = await sandboxWorld(folder.path);
    const script = 'echo $HOME $TMPDIR; mkdir -p ~/deep/er; touch ~/deep/er/file; chmod 0 ~/deep/er ~/deep; exit 5';
    const result = await (await limited()).run(world.shell(script));
    expect(result).toMatchObject({ exitCode: 5, stderr: '', endedBy: 'itself' });
    const [home = '', temp = ''] = result.stdout.trim().split(' ');
    expect([home, temp].map((path) => path.startsWith(join(folder.path, 'runs')))).toEqual([true, true]);
    expect(readdirSync(join(folder.path, 'runs'))).toEqual([]);
  });

  it('takes away what runs of a process that is gone have left', async () => {
    const left = join(folder.path, 'runs/run-1-0badb007.1-abc');
    mkdirSync(join(left, 'home'), { recursive: true });
    await limited();
    expect(existsSync(left)).toBe(false);
  });

  it('ends what is left by its mark', async () => {
    const world = await sandboxWorld(folder.path);
    const script = `(setsid sh -c 'echo $$ > pid.part; mv pid.part pid; sleep 60' &); until [ -e pid ]; do sleep 0.02; done; cat pid; exit 6`;
    const result = await (await limited(world.registry)).run(world.shell(script));
    expect(result).toMatchObject({ exitCode: 6, stderr: '', endedBy: 'itself' });
    expect(startTimeOf(Number(result.stdout))).toBeNull();
  });

  it('gives no command the environment of the service', async () => {
    const world = await sandboxWorld(folder.path);
    const { stdout } = await (await limited()).run(world.shell('env'));
    const names = stdout.trim().split('\n').map((line) => line.split('=')[0]); // prettier-ignore
    expect(names.sort()).toEqual(['HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'QRALPH_RUN', 'TMPDIR', 'USER']);
  });

  it.runIf(hasNamespaces())('keeps its processes together where it may at least do that', async () => {
    const world = await sandboxWorld(folder.path);
    const together = await limited(world.registry, processWalls());
    expect(together.guarantees).toEqual({ hidesFiles: false, cutsNetwork: false, ownsProcesses: true });
    const result = await together.run(world.shell('(setsid sleep 60 &); ls -d /proc/[0-9]* | wc -l; pwd'));
    expect(result).toMatchObject({ exitCode: 0, stderr: '', endedBy: 'itself' });
    expect(Number(result.stdout.split('\n')[0])).toBeLessThan(10);
    expect(result.stdout.split('\n')[1]).toBe(world.worktree);
  });
});
