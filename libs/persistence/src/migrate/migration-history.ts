import type { Client } from 'pg';
import { createHash } from 'node:crypto';
import { EngineBug, UserError } from '#kernel';
import { knownMigrations, migrationScript } from './migrations-folder.js';

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  logs: string | null;
}

/** Names of the migrations still to be applied; throws when this code must not touch the database. */
export async function pendingMigrations(client: Client, migrationsFolder: string): Promise<string[]> {
  const known = knownMigrations(migrationsFolder);
  const applied = await appliedMigrations(client);
  refuseFailed(applied);
  refuseUnknown(applied, known);
  for (const { migration_name: name, checksum } of applied) {
    const inFolder = createHash('sha256').update(migrationScript(migrationsFolder, name)).digest('hex');
    if (checksum !== inFolder) {
      throw new EngineBug('MIGRATION_EDITED', `migration ${name} was edited after this database had applied it`, {
        name,
      });
    }
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return known.filter((name) => !done.has(name));
}

async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  if (!tables[0]?.present) return [];
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function refuseFailed(applied: AppliedMigration[]): void {
  const failed = applied.find((row) => row.finished_at === null);
  if (!failed) return;
  throw new UserError(
    'MIGRATION_FAILED_EARLIER',
    `migration ${failed.migration_name} was begun on this database and never finished: ${failed.logs ?? 'no reason is recorded'}. ` +
      'Repair the database, then set rolled_back_at or finished_at of its row in _prisma_migrations.',
    { migration: failed.migration_name },
  );
}

function refuseUnknown(applied: AppliedMigration[], known: string[]): void {
  const unknown = applied.map((row) => row.migration_name).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new UserError(
    'DATABASE_IS_NEWER',
    `the database holds migrations this version does not know: ${unknown.join(', ')}. Start the version that made them, or a newer one.`,
    { migrations: unknown },
  );
}
