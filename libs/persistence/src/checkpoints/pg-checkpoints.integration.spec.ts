import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase, sampleSeed } from '#testing';
import type pg from 'pg';
import { insertProject } from '../projects/new-project.js';
import { PgProjectStore } from '../projects/pg-project.store.js';
import { PgWorkerStore } from '../projects/pg-worker.store.js';
import { inTransaction, openPool } from '../projects/pool.js';
import { PgCheckpoints } from './pg-checkpoints.js';

let database: FreshDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 6, name: 'checkpoints-test', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('finds nothing wrong with a project that moves on while it is verified', async () => {
  const { facts, snapshot, status, runnable } = sampleSeed({ step: 0 });
  const seed = { facts, snapshot, status, runnable, number: null, mode: 'sample', options: {}, labels: {} };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, parentIncarnation: null, events: [] }, null));
  const store = new PgProjectStore(pool, null);
  await new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: '1' }).heartbeat('w', 60_000);
  const claim = await store.claim(facts.id, 'w');
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const { lease } = claim.project;
  let isMoving = true;
  const moving = (async () => {
    for (let number = 1; number <= 150; number += 1) {
      const changed = { step: number };
      const next = { snapshot: { ...snapshot, context: changed }, version: number + 1, status, cause: 'step', changed };
      await store.write(lease, { number, next });
    }
    isMoving = false;
  })();
  const checkpoints = new PgCheckpoints(pool, null);
  const faults: unknown[] = [];
  let verifications = 0;
  while (isMoving) {
    faults.push(...(await checkpoints.verify(facts.id)).faults);
    verifications += 1;
  }
  await moving;
  expect(faults).toEqual([]);
  expect(verifications).toBeGreaterThan(3);
});
