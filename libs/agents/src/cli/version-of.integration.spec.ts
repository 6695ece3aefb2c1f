import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, spawnSource, tempFolder, type TempFolder } from '#testing';
import { sweepVersionHomes, versionOf } from './version-of.js';

const PATH = '/usr/local/bin:/usr/bin:/bin';
let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('version');
});
afterEach(() => folder.remove());

function program(script: string): [string] {
  const file = join(folder.path, 'cli');
  writeFileSync(file, `#!/bin/sh\n${script}`, { mode: 0o755 });
  return [file];
}

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

it('a program says its version', async () => {
  expect(await versionOf(program('echo "1.2.3 $1"'), PATH)).toBe('1.2.3 --version\n');
});

it('one that fails says why', async () => {
  await expect(versionOf(program('echo "no engine" >&2; exit 3'), PATH)).rejects.toThrow('ended with 3. no engine');
  await expect(versionOf([join(folder.path, 'nowhere')], PATH)).rejects.toThrow('ENOENT');
});

it('one that does not answer is ended with all that it started', async () => {
  const pids = join(folder.path, 'pids');
  const asking = versionOf(program(`sleep 600 & echo $! > ${pids}; wait`), PATH, 500);
  await expect(asking).rejects.toThrow('no answer within 500 ms');
  const pid = Number(readFileSync(pids, 'utf8'));
  await eventually('it is gone', () => !isAlive(pid));
});

it('one that reads waits for nobody, and its output ends with it', async () => {
  expect(await versionOf(program('cat; echo 1.2.3; exec 1>&-'), PATH, 5_000)).toBe('1.2.3\n');
});

it('one that hangs dies with the worker that asked it, wrapper and all, and its home is swept', async () => {
  const told = join(folder.path, 'told');
  const [cli] = program(
    `trap '' TERM HUP; sleep 600 & echo "$$ $! $HOME" > ${told}.part; mv ${told}.part ${told}; wait`,
  );
  const asking = spawnSource(new URL('./asks-version.process.fixture.ts', import.meta.url), [cli, PATH]);
  const exited = once(asking, 'exit');
  await eventually('it hangs', () => existsSync(told));
  const [wrapper, inner, home = ''] = readFileSync(told, 'utf8').trim().split(' ');
  expect([existsSync(home), isAlive(Number(wrapper)), isAlive(Number(inner))]).toEqual([true, true, true]);
  asking.kill('SIGKILL');
  await exited;
  await eventually('both are gone', () => !isAlive(Number(wrapper)) && !isAlive(Number(inner)));
  await sweepVersionHomes(dirname(home));
  expect(existsSync(home)).toBe(false);
});
