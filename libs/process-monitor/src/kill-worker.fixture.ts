import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { eventually, spawnSource } from '#testing';
import { type CommandLimits, isAlive, type ProcessRecord } from './index.js';

interface Work {
  readonly folder: string;
  readonly script: string;
  readonly limits?: CommandLimits;
  /** Resolves when the script has come far enough for its worker to be killed. */
  readonly until: () => Promise<unknown>;
}

/** Lets another process run a command, kills that process, and gives the record of the command, whose leader is gone. */
export async function killWorkerOf({ folder, script, limits = {}, until }: Work): Promise<ProcessRecord> {
  const worker = spawnSource(new URL('./killed-worker.fixture.ts', import.meta.url), [
    folder,
    script,
    JSON.stringify(limits),
  ]);
  const exited = once(worker, 'exit');
  try {
    const [line] = (await once(worker.stdout as Readable, 'data')) as [Buffer];
    const record = JSON.parse(line.toString()) as ProcessRecord;
    await until();
    worker.kill('SIGKILL');
    await eventually('the command dies with its worker', () => !isAlive(record.pid, record.startTime));
    return record;
  } finally {
    worker.kill('SIGKILL');
    await exited;
  }
}
