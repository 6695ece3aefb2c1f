/**
 * Prisma's schema engine (WebAssembly) in a thread of its own: some 60 MB that go back when the thread ends.
 * Imports packages only: from source, Node strips the types of this one file and resolves no sibling.
 */
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import { type MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

export type SchemaEngineTask =
  | { do: 'apply'; url: string; migrations: MigrationList }
  | { do: 'diff'; url: string; migrations: MigrationList; schema: string };
export type SchemaEngineAnswer = { applied: string[] } | { sql: string } | { error: string };

type Task<D extends SchemaEngineTask['do']> = Extract<SchemaEngineTask, { do: D }>;

/** Columns of the one-byte type "char" in the engine's own catalogue queries. */
const charNames = new Set(['confdeltype', 'confupdtype', 'constraint_type']);
const noFilter = { externalTables: [], externalEnums: [] };
/** The engine wraps the database's complaint in one of its own; the first one is what a person needs. */
let firstComplaint: string | undefined;

function loadEngine(factory: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  return SchemaEngine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

/** One connection for everything, so that statements before and after the engine's share its transaction. */
function onePool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on('error', (error) => (firstComplaint ??= error.message));
  return pool;
}

function charsAsText(sql: string): string {
  return sql
    .replace(/\bcon\.(confdeltype|confupdtype),/g, 'con.$1::text AS $1,')
    .replace('constr.contype AS', 'constr.contype::text AS');
}

async function adapterOn(pool: pg.Pool, dispose: () => Promise<void>): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(pool).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    // Prisma's own splits at every semicolon, also inside comments, texts and function bodies.
    executeScript: async (script: string) => {
      await pool.query(script).catch((error: Error) => {
        firstComplaint ??= error.message;
        throw error;
      });
    },
    // Prisma's own refuses the catalogue's "char" columns, which the engine itself asks for.
    queryRaw: async (query: SqlQuery) => {
      const answer = await queryRaw({ ...query, sql: charsAsText(query.sql) });
      const columnTypes = answer.columnTypes.map((type, i) =>
        charNames.has(answer.columnNames[i] ?? '') ? ColumnTypeEnum.Character : type,
      );
      return { ...answer, columnTypes };
    },
    dispose,
  });
}

async function answerTo(task: SchemaEngineTask): Promise<SchemaEngineAnswer> {
  const pool = onePool(task.url);
  const factory = {
    provider: 'postgres' as const,
    adapterName: 'qralph-migrate',
    connect: () => adapterOn(pool, async () => {}),
    connectToShadowDb: () => shadowDatabase(pool, task.url),
  };
  try {
    return task.do === 'apply' ? await apply(task, pool, factory) : await diff(task, factory);
  } catch (error) {
    return { error: firstComplaint ?? (error instanceof Error ? error.message : String(error)) };
  } finally {
    await pool.end();
  }
}

/** All or nothing: a process killed here leaves the database as it was, with no migration half done. */
async function apply(task: Task<'apply'>, pool: pg.Pool, factory: SqlMigrationAwareDriverAdapterFactory) {
  await pool.query('BEGIN');
  const engine = await loadEngine(factory);
  const { appliedMigrationNames } = await engine.applyMigrations({
    migrationsList: task.migrations,
    filters: noFilter,
  });
  await pool.query('COMMIT');
  return { applied: appliedMigrationNames };
}

async function diff(task: Task<'diff'>, factory: SqlMigrationAwareDriverAdapterFactory) {
  const engine = await loadEngine(factory);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: 'migrations', ...task.migrations },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: task.schema }] },
    script: true,
    exitCode: true,
    filters: noFilter,
  });
  return { sql: exitCode === 0 ? '' : (stdout ?? '') };
}

/** An empty database to replay the migrations in. */
async function shadowDatabase(pool: pg.Pool, url: string): Promise<SqlDriverAdapter> {
  const name = `migrations_${randomUUID().replaceAll('-', '')}`;
  await pool.query(`CREATE DATABASE ${name}`);
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const shadow = onePool(shadowUrl.href);
  return adapterOn(shadow, async () => {
    await shadow.end();
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
}

void answerTo(workerData as SchemaEngineTask).then((answer) => parentPort?.postMessage(answer));
