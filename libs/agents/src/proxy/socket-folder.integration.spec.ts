import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTimeOf } from '#process-monitor';
import { eventually, type TempFolder, tempFolder } from '#testing';
import { newSocketFolder } from './socket-folder.js';

let parent: TempFolder;
beforeEach(() => (parent = tempFolder('sockets')));
afterEach(() => parent.remove());

const startOf = (pid: number): string => (startTimeOf(pid) ?? '').replace(':', '.');

it('the folder of a process that lives stays, and so does what is none of ours', async () => {
  const first = await newSocketFolder(parent.path);
  const named = `qralph-proxy-${String(process.ppid)}-${startOf(process.ppid)}-abcdef`;
  for (const name of ['something-else', named]) await mkdir(join(parent.path, name));
  const second = await newSocketFolder(parent.path);
  const kept = ['something-else', named, basename(first), basename(second)];
  expect((await readdir(parent.path)).sort()).toEqual(kept.sort());
});

it('a pid that another process has now keeps nobody’s folder', async () => {
  const [boot = ''] = startOf(process.pid).split('.');
  const marks = [`${String(process.pid)}-${boot}.1`, `${String(process.ppid)}-${boot}.1`, `1-00000000.1`];
  for (const mark of marks) await mkdir(join(parent.path, `qralph-proxy-${mark}-abcdef`));
  const mine = await newSocketFolder(parent.path);
  expect(await readdir(parent.path)).toEqual([basename(mine)]);
});

it('a zombie keeps no folder', async () => {
  // Its parent has become a program that never asks what became of it.
  const child = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const mark = `${String(pid)}-${startOf(pid)}`;
    await eventually('it is a zombie', () => / Z /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')));
    for (const name of [mark, String(pid)]) await mkdir(join(parent.path, `qralph-proxy-${name}-abcdef`));
    const mine = await newSocketFolder(parent.path);
    expect(await readdir(parent.path)).toEqual([basename(mine)]);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
