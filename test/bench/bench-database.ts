import pg from 'pg';
import { freshDatabaseOn, startTestPostgres } from '#testing';

/** Makes one more migrated database on the bench's server; returns its URL. */
type NewDatabase = () => Promise<string>;

/** A real server of the bench's own; refuses to measure one that does not wait for its disk. */
export async function withServer<T>(use: (newDatabase: NewDatabase) => Promise<T>): Promise<T> {
  const server = await startTestPostgres();
  try {
    await withClient(server.url, refuseUnsafeSettings);
    return await use(async () => (await freshDatabaseOn(server.url)).url);
  } finally {
    await server.stop();
  }
}

export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function refuseUnsafeSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`,
  );
  const unsafe = rows.filter((row) => row.setting !== 'on');
  if (unsafe.length > 0)
    throw new Error(`the server is not durable: ${unsafe.map((row) => row.name).join(', ')} is off`);
}
