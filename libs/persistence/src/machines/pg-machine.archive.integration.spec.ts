import { expect, it } from 'vitest';
import { defineMachine } from '#engine';
import { canonicalJson, type Json, sha256Hex } from '#kernel';
import { useDatabase } from '../projects/database.fixture.js';
import { PgMachineArchive } from './pg-machine.archive.js';

const database = useDatabase('machine-archive');

const options = { revise: 'again', approve: 'agreed', abort: 'given-up' };
const machine = defineMachine(
  'asks',
  1,
  {
    ASKING: { gate: { name: 'g', ask: '?', options }, on: { again: 'ASKING', agreed: 'DONE', 'given-up': 'DONE' } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);
const canonical = canonicalJson(machine as unknown as Json);
const hash = sha256Hex(canonical);

it('a table is kept in its own order, also where it was kept in another before: gates show their options by it', async () => {
  const archive = new PgMachineArchive(database.pool);
  const kept = async () => {
    const found = await archive.find('asks', 1);
    return found.kind === 'found' ? Object.keys(found.machine.states['ASKING']?.gate?.options ?? {}) : found;
  };
  const sql = 'INSERT INTO machine (name, version, hash, definition) VALUES ($1, 1, $2, $3)';
  await database.pool.query(sql, ['asks', hash, canonical]);
  expect(await kept()).toEqual(['abort', 'approve', 'revise']);
  expect(await archive.keep(machine, hash)).toBe(hash);
  expect(await kept()).toEqual(['revise', 'approve', 'abort']);
});
