import type pg from 'pg';
import { inlineText, checksumOf } from '#checkpoints';

type Manifest = Readonly<Record<string, string>>;

/** What somebody with access to the database can do to the link `seq` of a project. */
export interface Damage {
  readonly name: string;
  readonly reason: RegExp;
  readonly isGone?: boolean;
  /** Resolves to the links that are bad afterwards, oldest first. */
  harm(pool: pg.Pool, id: string, seq: number): Promise<number[]>;
}

const set =
  (assignment: string): Damage['harm'] =>
  async (pool, id, seq) => {
    const sql = `UPDATE checkpoint SET ${assignment} WHERE project_id = $1 AND seq = $2`;
    const { rowCount } = await pool.query(sql, [id, seq]);
    if (rowCount !== 1) throw new Error(`there is no link ${String(seq)}`);
    return [seq];
  };

/** Harms the value that the link brought in; every later link that still holds it is as bad. */
const onValue =
  (sql: string): Damage['harm'] =>
  async (pool, id, seq) => {
    const { rows } = await pool.query<{ seq: number; manifest: Manifest }>(
      'SELECT seq, manifest FROM checkpoint WHERE project_id = $1 ORDER BY seq',
      [id],
    );
    const before = new Set(Object.values(rows.find((row) => row.seq === seq - 1)?.manifest ?? {}));
    const hash = Object.values(rows.find((row) => row.seq === seq)?.manifest ?? {}).find(
      (one) => !before.has(one) && inlineText(one) === null,
    );
    if (hash === undefined) throw new Error(`link ${String(seq)} brought no value`);
    await pool.query(sql, [hash]);
    return rows.filter(({ manifest }) => Object.values(manifest).includes(hash)).map((row) => row.seq);
  };

/** Writes a link anew with a right checksum, and makes the project's row agree where it is the newest. */
const reforge: Damage['harm'] = async (pool, id, seq) => {
  const { rows } = await pool.query<{ prev: string; body: Buffer; manifest: Manifest }>(
    'SELECT prev, body, manifest FROM checkpoint WHERE project_id = $1 AND seq = $2',
    [id, seq],
  );
  const row = rows[0];
  if (!row) throw new Error(`there is no link ${String(seq)}`);
  const body = Buffer.from(row.body.toString().replace('"aborting":false', '"aborting":true'));
  const checksum = checksumOf(row.prev, body, row.manifest);
  const values = [id, seq, checksum];
  await pool.query('UPDATE checkpoint SET body = $4, checksum = $3 WHERE project_id = $1 AND seq = $2', [
    ...values,
    body,
  ]);
  await pool.query('UPDATE project SET head_checksum = $3 WHERE id = $1 AND version = $2', values);
  return [seq];
};

const swapWithTheOneBefore: Damage['harm'] = async (pool, id, seq) => {
  const move = 'UPDATE checkpoint SET seq = $3 WHERE project_id = $1 AND seq = $2';
  for (const [from, to] of [[seq, -1], [seq - 1, seq], [-1, seq - 1]]) await pool.query(move, [id, from, to]); // prettier-ignore
  return [seq - 1, seq];
};

const replay = `(body, manifest, prev, checksum, seal) = (SELECT c.body, c.manifest, c.prev, c.checksum, c.seal
  FROM checkpoint c WHERE c.project_id = checkpoint.project_id AND c.seq = 2)`;
const edit = `body = convert_to(replace(convert_from(body, 'UTF8'), '"paused":false', '"paused":true'), 'UTF8')`;
const checksum = /checksum does not match/;
const value = /the value of \w+ does not match/;

export const forgery: Damage = {
  name: 'a link forged anew with a right checksum',
  reason: /seal does not match|not the one that the next link follows/,
  harm: reforge,
};

export const DAMAGES: readonly Damage[] = [
  { name: 'a flipped bit', reason: checksum, harm: set('body = set_bit(body, 77, 1 - get_bit(body, 77))') },
  { name: 'a truncated body', reason: checksum, harm: set('body = substring(body FROM 1 FOR length(body) / 2)') },
  { name: 'a valid edit of the JSON', reason: checksum, harm: set(edit) },
  { name: 'an edited manifest', reason: checksum, harm: set(`manifest = manifest || '{"round": "00"}'`) },
  { name: 'a manifest with a number in it', reason: checksum, harm: set(`manifest = manifest || '{"round": 0}'`) },
  { name: 'a manifest that is none', reason: checksum, harm: set(`manifest = 'null'`) },
  { name: 'an old link replayed in its place', reason: /says that it is number 2/, harm: set(replay) },
  { name: 'two swapped rows', reason: /says that it is number/, harm: swapWithTheOneBefore },
  {
    name: 'a deleted row',
    reason: /the link is missing/,
    isGone: true,
    harm: async (pool, id, seq) => {
      await pool.query('DELETE FROM checkpoint WHERE project_id = $1 AND seq = $2', [id, seq]);
      return [seq];
    },
  },
  {
    name: 'a flipped bit in a value',
    reason: value,
    harm: onValue('UPDATE blob SET content = set_bit(content, 0, 1 - get_bit(content, 0)) WHERE hash = $1'),
  },
  { name: 'a truncated value', reason: value, harm: onValue(`UPDATE blob SET content = '' WHERE hash = $1`) },
  { name: 'a missing value', reason: /value of \w+ is missing/, harm: onValue('DELETE FROM blob WHERE hash = $1') },
  forgery,
];
