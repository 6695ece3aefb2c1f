import { join } from 'node:path';
import pg from 'pg';
import { errorCode, errorMessage, UserError, WorldError } from '#kernel';
import { pendingMigrations } from './migration-history.js';
import { migrationList, prismaFolder } from './migrations-folder.js';
import { runSchemaEngine } from './run-schema-engine.js';

/** Any number that nobody else locks in this database. */
const MIGRATE_LOCK = 7_102_024_117;
const CONNECT_TIMEOUT_MS = 10_000;

export interface MigrateOptions {
  /** Default: this installation's prisma/migrations. */
  migrationsFolder?: string;
}

/**
 * Brings the database to this code's schema. Processes that start together wait for each other;
 * each migration commits whole or not at all; nothing but two queries happens when nothing is to do.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const folder = options.migrationsFolder ?? join(prismaFolder(), 'migrations');
  const client = await connect(databaseUrl);
  try {
    if ((await pendingMigrations(client, folder)).length === 0) return { applied: [] };
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
    const pending = await pendingMigrations(client, folder);
    if (pending.length === 0) return { applied: [] };
    return await apply(databaseUrl, folder);
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // The query under way reports a lost connection; an unheard event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (cause) {
    const where = `${client.host}:${client.port}/${client.database ?? ''}`;
    const why = errorMessage(cause) || errorCode(cause);
    throw new WorldError('DATABASE_UNREACHABLE', `no connection to the database ${where}: ${why}`, {}, { cause });
  }
}

async function apply(databaseUrl: string, folder: string): Promise<{ applied: string[] }> {
  const answer = await runSchemaEngine({ do: 'apply', url: databaseUrl, migrations: migrationList(folder) });
  if ('applied' in answer) return answer;
  const reason = 'error' in answer ? answer.error : 'no answer';
  if (reason.includes('schema is not empty')) {
    const advice = 'give this service a database of its own';
    throw new UserError('DATABASE_NOT_OURS', `the database already holds tables of something else: ${advice}`);
  }
  throw new UserError('MIGRATION_FAILED', `the database could not be migrated and is unchanged: ${reason}`);
}
