import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, tempFolder, type TempFolder } from '#testing';
import { versionOf } from './version-of.js';

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
