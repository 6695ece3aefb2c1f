import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksumOf } from '#checkpoints';
import type { Project } from '#contracts';
import { openPool } from '#persistence';
import { freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { Api, grantKey } from '../harness/api.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';

const SEALING_KEY = 'a key that is not in the database';
const QUICK = { rounds: 1, width: 1, workMs: 0, coolMs: 20 };

interface World {
  readonly api: Api;
  readonly pool: pg.Pool;
  readonly service: ServiceProcess;
  close(): Promise<void>;
}

let database: FreshDatabase;
let folder: TempFolder;

beforeAll(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('corruption')];
});

afterAll(async () => {
  await database.drop();
  await folder.remove();
});

async function world(env: Record<string, string>): Promise<World> {
  const service = await startProcess(
    { role: 'orchestrator' },
    { dataDir: folder.path, databaseUrl: database.url, env: { QRALPH_LOG_LEVEL: 'warn', ...env } },
  );
  const pool = openPool({ url: database.url, max: 2, name: 'vandal', onError: () => undefined });
  const api = new Api(service.url ?? '', await grantKey(pool));
  const close = async (): Promise<void> => {
    await service.kill('SIGTERM');
    await pool.end();
  };
  return { api, pool, service, close };
}

/** What a vandal does to the link `seq`; whether the link is there at all afterwards. */
interface Damage {
  readonly name: string;
  readonly reason: RegExp;
  readonly isGone?: boolean;
  readonly also?: (seq: number) => number[];
  harm(pool: pg.Pool, id: string, seq: number): Promise<void>;
}

const update =
  (set: string): Damage['harm'] =>
  async (pool, id, seq) => {
    const { rowCount } = await pool.query(`UPDATE checkpoint SET ${set} WHERE project_id = $1 AND seq = $2`, [id, seq]);
    expect(rowCount).toBe(1);
  };

/** A value that only this project has, so that no other test is harmed. */
const onBlob =
  (sql: string): Damage['harm'] =>
  async (pool, id, seq) => {
    const mark = Buffer.from(JSON.stringify(`mark of ${id} at ${String(seq)}`));
    const hash = (await pool.query<{ h: string }>(`SELECT encode(sha256($1), 'hex') AS h`, [mark])).rows[0]?.h ?? '';
    await pool.query('INSERT INTO blob (hash, content) VALUES ($1, $2)', [hash, mark]);
    await reforge(pool, id, seq, { manifest: { mark: hash } });
    await pool.query(sql, [hash]);
  };

/** Writes a link anew with a right checksum, and the project's row or the next link to match: all but the seal. */
async function reforge(
  pool: pg.Pool,
  id: string,
  seq: number,
  change: { manifest?: Record<string, string>; body?: (body: string) => string },
): Promise<void> {
  const { rows } = await pool.query<{ prev: string; body: Buffer; manifest: Record<string, string> }>(
    'SELECT prev, body, manifest FROM checkpoint WHERE project_id = $1 AND seq = $2',
    [id, seq],
  );
  const row = rows[0];
  if (!row) throw new Error('there is no such link');
  const body = Buffer.from(change.body?.(row.body.toString()) ?? row.body);
  const manifest = { ...row.manifest, ...change.manifest };
  const checksum = checksumOf(row.prev, body, manifest);
  await pool.query('UPDATE checkpoint SET body = $3, manifest = $4, checksum = $5 WHERE project_id = $1 AND seq = $2', [
    id,
    seq,
    body,
    manifest,
    checksum,
  ]);
}

const copyOf = (from: string): string =>
  `(body, manifest, prev, checksum, seal) = (SELECT c.body, c.manifest, c.prev, c.checksum, c.seal FROM checkpoint c
     WHERE c.project_id = checkpoint.project_id AND c.seq = ${from})`;

const DAMAGES: readonly Damage[] = [
  { name: 'a flipped bit', reason: /checksum does not match/, harm: update('body = set_bit(body, 77, 1 - get_bit(body, 77))') },
  { name: 'a truncated body', reason: /checksum does not match/, harm: update('body = substring(body FROM 1 FOR length(body) / 2)') },
  {
    name: 'a valid edit of the JSON',
    reason: /checksum does not match/,
    harm: update(`body = convert_to(replace(convert_from(body, 'UTF8'), '"paused":false', '"paused":true'), 'UTF8')`),
  },
  { name: 'an edited manifest', reason: /checksum does not match/, harm: update(`manifest = manifest || '{"round": "00"}'`) },
  { name: 'an old link replayed in its place', reason: /says that it is number 2/, harm: update(copyOf('2')) },
  {
    name: 'a checksum recomputed without the sealing key',
    reason: /seal does not match|not the one/,
    harm: (pool, id, seq) =>
      reforge(pool, id, seq, { body: (body) => body.replace('"aborting":false', '"aborting":true') }),
  },
  {
    name: 'a deleted row',
    reason: /the link is missing/,
    isGone: true,
    harm: async (pool, id, seq) => {
      await pool.query('DELETE FROM checkpoint WHERE project_id = $1 AND seq = $2', [id, seq]);
    },
  },
  {
    name: 'two swapped rows',
    reason: /says that it is number/,
    also: (seq) => [seq - 1],
    harm: async (pool, id, seq) => {
      const move = 'UPDATE checkpoint SET seq = $3 WHERE project_id = $1 AND seq = $2';
      await pool.query(move, [id, seq, -1]);
      await pool.query(move, [id, seq - 1, seq]);
      await pool.query(move, [id, -1, seq - 1]);
    },
  },
  { name: 'a flipped bit in a value', reason: /value of round does not match/, harm: blobHarm('content = set_bit(content, 0, 1 - get_bit(content, 0))') },
  { name: 'a truncated value', reason: /value of round does not match/, harm: blobHarm(`content = ''`) },
];
