import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { newId } from '#kernel';
import { emptyDatabase, tempFolder, type FreshDatabase, type TempFolder } from '#testing';
import { migrate } from './migrate.js';
import { knownMigrations, prismaFolder } from './migrations-folder.js';
import { schemaDrift } from './schema-drift.js';

const migrations = join(prismaFolder(), 'migrations');
let database: FreshDatabase;
let folder: TempFolder;

beforeEach(async () => {
  database = await emptyDatabase();
  folder = tempFolder('migrate');
});

afterEach(async () => {
  await database.drop();
  await folder.remove();
});

async function query<T extends pg.QueryResultRow>(sql: string, url = database.url): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function folderWith(name: string, sql: string): Promise<string> {
  const copy = join(folder.path, 'migrations');
  await cp(migrations, copy, { recursive: true });
  await mkdir(join(copy, name));
  await writeFile(join(copy, name, 'migration.sql'), sql);
  return copy;
}

describe('migrate', () => {
  it('brings an empty database to the schema and then finds nothing to do', async () => {
    expect(await migrate(database.url)).toEqual({ applied: knownMigrations(migrations) });
    expect(await migrate(database.url)).toEqual({ applied: [] });
    expect(await query(`SELECT nextval('project_number')::int AS number`)).toEqual([{ number: 1 }]);
  });

  it('applies each migration once when four start together', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(knownMigrations(migrations));
    const rows = await query<{ migration_name: string }>('SELECT migration_name FROM _prisma_migrations');
    expect(rows.map((row) => row.migration_name).sort()).toEqual(knownMigrations(migrations));
  });

  it('adds a later migration to a database that has the earlier ones', async () => {
    await migrate(database.url);
    const migrationsFolder = await folderWith('99990101000000_later', `CREATE TABLE later (text TEXT); -- a; b`);
    expect(await migrate(database.url, { migrationsFolder })).toEqual({ applied: ['99990101000000_later'] });
    expect(await query('SELECT * FROM later')).toEqual([]);
  });

  it('keeps the events of a database in which each had a row of its own', async () => {
    const first = join(folder.path, 'migrations');
    await cp(migrations, first, { recursive: true });
    for (const later of knownMigrations(migrations).slice(1)) await rm(join(first, later), { recursive: true });
    await migrate(database.url, { migrationsFolder: first });
    const id = newId();
    await query(`INSERT INTO event (project_id, seq, version, type, data)
      VALUES ('${id}', 1, 1, 'one', '{"a":1}'), ('${id}', 2, 1, 'two', '{"text":"NUL \\u0000"}')`);
    await migrate(database.url);
    expect(await query(`SELECT seq, type, data FROM event WHERE project_id = '${id}' ORDER BY seq`)).toEqual([
      { seq: 1, type: 'one', data: '{"a":1}' },
      { seq: 2, type: 'two', data: String.raw`{"text":"NUL \u0000"}` },
    ]);
  });

  it('keeps out of a database in which somebody else has tables', async () => {
    await query('CREATE TABLE theirs (id INT)');
    await expect(migrate(database.url)).rejects.toMatchObject({ code: 'DATABASE_NOT_OURS' });
  });

  it('says which server it cannot reach, without the password', async () => {
    await expect(migrate('postgresql://me:secret@127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringMatching(/^(?!.*secret).*127\.0\.0\.1:1\/none/) as string,
    });
  });

  it('leaves the database as it was when a migration fails, and says why', async () => {
    const migrationsFolder = await folderWith(
      '99990101000000_broken',
      `CREATE TABLE later (text TEXT); INSERT INTO nowhere VALUES (1);`,
    );
    await expect(migrate(database.url, { migrationsFolder })).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringContaining('relation "nowhere" does not exist') as string,
    });
    expect(await query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    expect(await migrate(database.url)).toEqual({ applied: knownMigrations(migrations) });
  });

  it('refuses a database that is newer than this code', async () => {
    const migrationsFolder = await folderWith('99990101000000_later', `CREATE TABLE later (text TEXT)`);
    await migrate(database.url, { migrationsFolder });
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'DATABASE_IS_NEWER',
      details: { migrations: ['99990101000000_later'] },
    });
  });

  it('refuses a database on which another tool left a migration unfinished', async () => {
    await migrate(database.url);
    await query(`UPDATE _prisma_migrations SET finished_at = NULL, logs = 'disk full'`);
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED_EARLIER',
      message: expect.stringContaining('disk full') as string,
    });
  });

  it('refuses a database whose migration reads differently now', async () => {
    await migrate(database.url);
    const migrationsFolder = await folderWith('99990101000000_later', `CREATE TABLE later (text TEXT)`);
    const first = knownMigrations(migrations)[0] ?? '';
    await appendFile(join(migrationsFolder, first, 'migration.sql'), '-- edited\n');
    await expect(migrate(database.url, { migrationsFolder })).rejects.toMatchObject({ code: 'MIGRATION_EDITED' });
  });
});

describe('schema drift', () => {
  it('is empty: the migrations lead to prisma/schema.prisma', async () => {
    expect(await schemaDrift(inject('postgresUrl'))).toBe('');
  });

  it('is the missing SQL when the schema has gone ahead', async () => {
    const changed = join(folder.path, 'schema.prisma');
    const schema = await readFile(join(prismaFolder(), 'schema.prisma'), 'utf8');
    await writeFile(changed, `${schema}\nmodel Later {\n  id Int @id\n  @@map("later")\n}\n`);
    expect(await schemaDrift(inject('postgresUrl'), changed)).toContain('CREATE TABLE "later"');
    expect(await query(`SELECT 1 FROM pg_database WHERE datname LIKE 'migrations\\_%'`)).toEqual([]);
  });
});
