import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WorldError } from '#kernel';
import type { Cluster } from './cluster.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { postgresCommand, postgresEnvironment } from './postgres-command.js';
import {
  isAlive,
  isPostgresOf,
  liveProcess,
  postgresProcessesOf,
  signal,
  type ProcessIdentity,
} from './process-table.js';

/** The server's first process, which starts and ends all others. */
export interface Postmaster extends ProcessIdentity {
  port: number;
}

const POLL_MS = 20;
const FAST_STOP_MS = 5_000;
const IMMEDIATE_STOP_MS = 2_000;
const ORPHAN_GRACE_MS = 3_000;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '250',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
};

/** Starts the server in a session of its own: the terminal's Ctrl-C does not reach it. */
export async function spawnPostmaster(binaries: PostgresBinaries, cluster: Cluster, port: number): Promise<Postmaster> {
  await endOrphans(cluster.folder);
  const options = Object.entries({ ...settings, port: String(port) }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const { file, args } = postgresCommand(binaries.postgres, ['-D', cluster.folder, ...options]);
  const log = openLog(cluster.logFile);
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log], env: postgresEnvironment, cwd: '/' });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const identity = child.pid === undefined ? undefined : liveProcess(child.pid);
  if (!identity) throw new WorldError('POSTGRES_START_FAILED', `Postgres ended at once: see ${cluster.logFile}`);
  return { ...identity, port };
}

/** The live server that an earlier process left behind on this cluster. */
export function leftoverPostmaster(clusterFolder: string): Postmaster | undefined {
  const lines = readPidFile(clusterFolder);
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const identity = pid > 0 && port > 0 && isPostgresOf(pid, clusterFolder) ? liveProcess(pid) : undefined;
  return identity && { ...identity, port };
}

/** Fast shutdown (connections are cut, a checkpoint is written); at the deadline an immediate one. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  signal(postmaster, 'SIGINT');
  if (await isGoneWithin(postmaster, FAST_STOP_MS)) return;
  signal(postmaster, 'SIGQUIT');
  if (await isGoneWithin(postmaster, IMMEDIATE_STOP_MS)) return;
  signal(postmaster, 'SIGKILL');
}

/**
 * A killed server's helpers live on for a moment and would keep a new server out, or worse, write beside it.
 * A pid file whose pid is another program's now would keep it out for ever.
 */
async function endOrphans(clusterFolder: string): Promise<void> {
  for (const orphan of postgresProcessesOf(clusterFolder)) {
    if (await isGoneWithin(orphan, ORPHAN_GRACE_MS)) continue;
    signal(orphan, 'SIGKILL');
    await isGoneWithin(orphan, ORPHAN_GRACE_MS);
  }
  const pid = Number(readPidFile(clusterFolder)[0]);
  if (pid > 0 && !isPostgresOf(pid, clusterFolder)) rmSync(join(clusterFolder, 'postmaster.pid'), { force: true });
}

async function isGoneWithin(identity: ProcessIdentity, deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function readPidFile(clusterFolder: string): string[] {
  try {
    return readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
