import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '#persistence';
import { startTestPostgres } from './test-postgres.js';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'qralph_template';
/** Any number; makes the first asker build the template and the others wait. */
const TEMPLATE_LOCK = 7_102_024_118;

/** A migrated database nobody else uses: on the run's server inside vitest, on a server of its own elsewhere. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const runServer = await vitestServerUrl();
  if (runServer) return freshDatabaseOn(runServer);
  const server = await startTestPostgres();
  const database = await freshDatabaseOn(server.url);
  return { url: database.url, drop: () => server.stop() };
}

export async function freshDatabaseOn(serverUrl: string): Promise<FreshDatabase> {
  await ensureTemplate(serverUrl);
  return createDatabase(serverUrl, TEMPLATE);
}

/** Without any table; for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const serverUrl = await vitestServerUrl();
  if (!serverUrl) throw new Error('emptyDatabase() needs the server of a vitest run');
  return createDatabase(serverUrl, 'template0');
}

/** Copying a migrated database takes a fraction of migrating one. */
export async function ensureTemplate(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    if (await isReady(client)) return;
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await isReady(client)) return;
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await client.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`);
    await migrate(withDatabase(serverUrl, TEMPLATE));
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
  });
}

async function isReady(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [TEMPLATE]);
  return rowCount === 1;
}

async function createDatabase(serverUrl: string, template: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: withDatabase(serverUrl, name),
    drop: () =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

async function vitestServerUrl(): Promise<string | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  const { inject } = await import('vitest');
  return inject('postgresUrl');
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
