import { DEFAULT_SCHEMA, type PgPool, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import pg from 'pg';
import { errorMessage } from '#kernel';
import { answerWithin, endsWithin } from './deadline.js';
import type { QueueBackend } from './queue-backend.js';
import type { QueueLog } from './work-queue.port.js';

/** One connection listens for new jobs for as long as the process consumes; the others are for short statements. */
const CONNECTIONS = 4;
const OPEN_MS = 20_000;
const CLOSE_MS = 1_000;
const LONGEST_BLIND_WAIT_S = 5;

/**
 * By default an idle consumer may wait an hour for a notification. It looks for itself every few seconds instead, so
 * that a notification lost in a restart of the database costs seconds.
 */
class WatchfulPostgresBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return LONGEST_BLIND_WAIT_S;
  }
}

export async function openPostgresBackend(databaseUrl: string, log: QueueLog): Promise<QueueBackend> {
  const pool = openPool(databaseUrl, log);
  try {
    await answerWithin(OPEN_MS, 'preparing its tables in Postgres', migrate(pool));
  } catch (error) {
    await endsWithin(CLOSE_MS, pool.end());
    throw error;
  }
  // The same pool: BullMQ's description of one is a little narrower than what pg exports.
  const connection = pool as unknown as PgPool;
  return {
    kind: 'postgres',
    factory: (name, options, { withBlockingConnection = false } = {}) =>
      new WatchfulPostgresBackend(
        new PostgresConnection(connection),
        name,
        { ...options, connection },
        true,
        withBlockingConnection ? name : undefined,
      ),
    ping: async () => {
      await pool.query('SELECT 1');
    },
    close: async () => {
      await endsWithin(CLOSE_MS, pool.end());
    },
  };
}

function openPool(databaseUrl: string, log: QueueLog): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    // Losing the last few jobs in a crash is allowed, so no job waits for the disk.
    options: `-c search_path="${DEFAULT_SCHEMA}" -c synchronous_commit=off`,
  });
  const onError = (error: Error): void =>
    log('warn', 'a connection of the queue broke', { error: errorMessage(error) });
  pool.on('error', onError);
  // The pool listens to its idle clients only; one that breaks while in use would take the process down.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await runMigrations(client, DEFAULT_SCHEMA);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
