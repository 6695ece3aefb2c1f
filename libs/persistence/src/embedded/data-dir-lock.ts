import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EngineBug, errorCode, UserError } from '#kernel';
import { bootId, isAlive, liveProcess, type ProcessIdentity } from './process-table.js';

export interface DataDirHolder extends ProcessIdentity {
  boot: string;
  since: string;
  command: string;
}

export interface DataDirLock {
  release(): void;
}

const ATTEMPTS = 50;

/**
 * One process per data folder. The folder `holder` keeps numbered files: the highest number names the holder.
 * A taker makes the next number with link(2), which exactly one can; nobody ever takes away the highest number,
 * so a taker with an old view of the folder collides, or finds a higher number after its own, and looks again.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const folder = join(dataDir, 'holder');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const newest = numbers(folder).at(-1) ?? 0;
    refuseIfHeld(dataDir, readHolder(folder, newest));
    if (take(folder, newest + 1)) return { release: () => giveBack(folder, newest + 1) };
  }
  throw new EngineBug('DATA_DIR_LOCK', `could not settle who holds ${dataDir}`);
}

function take(folder: string, number: number): boolean {
  try {
    writeHolder(folder, number, linkSync, ourselves());
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  const all = numbers(folder);
  const isOurs = all.at(-1) === number;
  const unneeded = isOurs ? all.filter((other) => other < number) : [number];
  for (const other of unneeded) rmSync(fileOf(folder, other), { force: true });
  return isOurs;
}

/** The file stays, naming nobody: see above. */
function giveBack(folder: string, number: number): void {
  if (existsSync(fileOf(folder, number))) writeHolder(folder, number, renameSync, null);
}

function refuseIfHeld(dataDir: string, holder: DataDirHolder | null): void {
  if (!holder || holder.boot !== bootId() || !isAlive(holder)) return;
  throw new UserError(
    'DATA_DIR_HELD',
    `the data folder ${dataDir} is in use by process ${holder.pid} since ${holder.since}: ${holder.command}. ` +
      'Stop that process, or choose another data folder.',
    { dataDir, pid: holder.pid, since: holder.since, command: holder.command },
  );
}

function ourselves(): DataDirHolder {
  const identity = liveProcess(process.pid) ?? { pid: process.pid, startTime: 'unknown' };
  const command = process.argv.join(' ').slice(0, 500);
  return { ...identity, boot: bootId(), since: new Date().toISOString(), command };
}

/** A file appears under its number only when it is whole. */
function writeHolder(
  folder: string,
  number: number,
  publish: (from: string, to: string) => void,
  holder: DataDirHolder | null,
): void {
  const draft = join(folder, `.${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  try {
    publish(draft, fileOf(folder, number));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Null when nobody holds it: given back, never taken, or unreadable after a power cut (its writer is gone). */
function readHolder(folder: string, number: number): DataDirHolder | null {
  try {
    return JSON.parse(readFileSync(fileOf(folder, number), 'utf8')) as DataDirHolder | null;
  } catch {
    return null;
  }
}

function numbers(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => parseInt(name, 10))
    .sort((a, b) => a - b);
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${number}.json`);
}
