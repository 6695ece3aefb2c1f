import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { valueOf } from '#checkpoints';
import { newId } from '#kernel';
import { freshDatabase, type FreshDatabase } from '#testing';
import { loadJournal } from './load-project.js';
import { openPool } from './pool.js';

let database: FreshDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 3, name: 'load', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function done(projectId: string, key: string, outcome: string): Promise<string> {
  const { ref: hash, content } = valueOf(outcome);
  await pool.query('INSERT INTO blob (hash, content) VALUES ($1, $2)', [hash, content]);
  await pool.query(
    `INSERT INTO effect (project_id, key, status, attempt, epoch, outcome_hash) VALUES ($1, $2, 'done', 1, 1, $3)`,
    [projectId, key, hash],
  );
  return hash;
}

/** Too long to stand in its own reference. */
const long = (word: string): string => word.repeat(40);

it('reads an effect as begun, not as done with nothing, when its outcome was lost or damaged in the store', async () => {
  const id = newId();
  await done(id, '1/1/kept', long('kept'));
  const damaged = await done(id, '1/1/damaged', long('damaged'));
  const lost = await done(id, '1/1/lost', long('lost'));
  await pool.query(`UPDATE blob SET content = '"forged"' WHERE hash = $1`, [damaged]);
  await pool.query('DELETE FROM blob WHERE hash = $1', [lost]);
  const journal = await loadJournal(pool, id, '1/1');
  expect(new Map(journal.map(({ key, status, outcome }) => [key, [status, outcome]]))).toEqual(
    new Map([
      ['1/1/kept', ['done', long('kept')]],
      ['1/1/damaged', ['started', null]],
      ['1/1/lost', ['started', null]],
    ]),
  );
  // The damaged value is gone: the same outcome can be stored anew.
  expect((await pool.query('SELECT 1 FROM blob WHERE hash = $1', [damaged])).rowCount).toBe(0);
});
