import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, errorMessage, WorldError } from '#kernel';
import { CLUSTER_USER, type Cluster } from './cluster.js';
import type { Postmaster } from './postmaster.js';
import { isAlive } from './process-table.js';

export const DATABASE = 'qralph';
const READY_DEADLINE_MS = 60_000;
const READY_POLL_MS = 20;
const CONNECT_TIMEOUT_MS = 5_000;

export function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgresql://${CLUSTER_USER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** False when the server ended instead; recovery after a crash may take a while. */
export async function becomesReady(postmaster: Postmaster, cluster: Cluster): Promise<boolean> {
  const deadline = performance.now() + READY_DEADLINE_MS;
  for (;;) {
    try {
      await query(cluster, postmaster.port, 'SELECT 1');
      return true;
    } catch (error) {
      if (!isAlive(postmaster)) return false;
      if (!isStartingUp(error) || performance.now() > deadline) {
        const message = `Postgres does not answer: ${errorMessage(error)}`;
        throw new WorldError('POSTGRES_NOT_READY', message, {}, { cause: error });
      }
    }
    await delay(READY_POLL_MS);
  }
}

/** 57P03: starting up, in recovery or shutting down. A connection cut half-way has no code. */
function isStartingUp(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', '57P03', 'UNEXPECTED'].includes(errorCode(error));
}

export async function ensureDatabase(cluster: Cluster, port: number): Promise<void> {
  const { rowCount } = await query(cluster, port, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (!rowCount) await query(cluster, port, `CREATE DATABASE ${DATABASE}`);
}

async function query(cluster: Cluster, port: number, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({
    connectionString: urlOf(cluster, port, 'postgres'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
