import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir, type DataDirHolder } from './data-dir-lock.js';
import { bootId, liveProcess } from './process-table.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'qralph-test-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function leaveLockOf(holder: Partial<DataDirHolder>): void {
  mkdirSync(join(dataDir, 'holder'));
  const whole = { pid: process.pid, startTime: '1', boot: bootId(), since: 'yesterday', command: 'node x', ...holder };
  writeFileSync(join(dataDir, 'holder', '7.json'), JSON.stringify(whole));
}

describe('the lock of a data folder', () => {
  it('is held by one and free again after release', () => {
    const lock = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(`process ${process.pid} since`);
    lock.release();
    lockDataDir(dataDir).release();
    expect(readdirSync(join(dataDir, 'holder'))).toHaveLength(1);
  });

  it('is taken over from a process whose pid another one has now', () => {
    leaveLockOf({ startTime: '1' });
    lockDataDir(dataDir).release();
  });

  it('is taken over from a process of an earlier boot', () => {
    leaveLockOf({ ...liveProcess(process.pid), boot: 'another boot' });
    lockDataDir(dataDir).release();
  });

  it('is taken over when a power cut left its file empty', () => {
    leaveLockOf({});
    writeFileSync(join(dataDir, 'holder', '8.json'), '');
    lockDataDir(dataDir).release();
  });

  it('is taken over from a process that has ended', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    leaveLockOf({ ...liveProcess(child.pid ?? 0) });
    expect(() => lockDataDir(dataDir)).toThrow('node x');
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataDir(dataDir).release();
  });

  it('a release that comes late changes nothing for the next holder', () => {
    const first = lockDataDir(dataDir);
    first.release();
    const second = lockDataDir(dataDir);
    first.release();
    expect(() => lockDataDir(dataDir)).toThrow('is in use');
    second.release();
  });
});
