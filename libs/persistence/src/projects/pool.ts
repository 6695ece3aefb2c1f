import pg from 'pg';

/** The connections to Postgres that one process shares. */
export type Database = pg.Pool;

export interface PoolOptions {
  readonly url: string;
  readonly max: number;
  readonly name: string;
  readonly onError: (error: Error) => void;
}

/** A pool whose idle connections may break (a database restart) without taking the process along. */
export function openPool(options: PoolOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    // The server gives up before this side stops listening: a statement is never left running with nobody to hear of it.
    lock_timeout: 10_000,
    statement_timeout: 25_000,
    query_timeout: 30_000,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', options.onError);
  pool.on('connect', (client) => client.on('error', options.onError));
  return pool;
}

export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    throw error;
  } finally {
    client.release(broken);
  }
}
