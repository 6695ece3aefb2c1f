import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, Random, startModelServer } from '#testing';
import { useDatabase } from '../projects/database.fixture.js';
import { openPool } from '../projects/pool.js';
import { deskOn, forgetful } from './cap-run.fixture.js';
import { cachingModel, talkOn } from './conversation.fixture.js';
import { budgetOf, hold, holdWithBudget } from './ledger.fixture.js';

const database = useDatabase('token-cap');
const MODEL = 'anthropic:claude-opus-5-5';
const CAP = 500_000;
let server: ModelServer;
let other: pg.Pool;

beforeAll(async () => {
  server = await startModelServer();
  const url = database.pool.options.connectionString ?? '';
  other = openPool({ url, max: 4, name: 'token-cap-other', onError: () => undefined });
});
afterAll(async () => {
  await other.end();
  await server.stop();
});

async function family(): Promise<[root: string, child: string]> {
  const [root, child] = [await database.sample(), await database.sample()];
  await holdWithBudget(database.pool, root, { nanoUsd: null, tokens: CAP });
  await database.pool.query('UPDATE project SET parent_id = $2, parent_key = id WHERE id = $1', [child, root]);
  await hold(database.pool, child, 1);
  return [root, child];
}

/** What the ledger says at the end: the estimate errors are what calls counted beyond their reservations. */
async function endOf(rootId: string) {
  const { rows } = await database.pool.query<{ counted: string; errors: string; open: number; statuses: string[] }>(
    `SELECT sum(counted_tokens)::text AS counted, sum(GREATEST(counted_tokens - reserved_tokens, 0))::text AS errors,
       (count(*) FILTER (WHERE status = 'open'))::int AS open, array_agg(DISTINCT status) AS statuses
     FROM model_call WHERE root_id = $1`,
    [rootId],
  );
  const [sums] = rows;
  const { usedTokens, reservedTokens } = await budgetOf(database.pool, rootId);
  const errors = Number(sums?.errors);
  const [used, reserved, counted] = [Number(usedTokens), Number(reservedTokens), Number(sums?.counted)];
  return { used, reserved, counted, errors, open: sums?.open, statuses: sums?.statuses ?? [] };
}

it('one long conversation whose model caches it comes near the cap of tokens before it ends', async () => {
  const [root] = await family();
  server.use(cachingModel({ random: new Random(5), misses: 0, faults: 0 }));
  const parts = deskOn(database.pool, server, MODEL);
  await talkOn({ parts, projectId: root, name: 'alone', said: () => 20_000, maxOutputTokens: 4_000 });
  const end = await endOf(root);
  expect(end).toMatchObject({ counted: end.used, errors: 0, reserved: 0, open: 0 });
  expect(end.used).toBeLessThanOrEqual(CAP);
  expect(end.used).toBeGreaterThanOrEqual(CAP * 0.9);
}, 60_000);

async function sevenTalks(seed: number, misses: number) {
  const random = new Random(seed);
  const [root, child] = await family();
  server.use(cachingModel({ random, misses, faults: 0.3 }));
  const desks = [deskOn(forgetful(database.pool, random), server, MODEL), deskOn(other, server, MODEL)] as const;
  const talks = [root, root, root, root, child, child, child].map((projectId, nth) =>
    talkOn({
      parts: desks[nth % 2 === 0 ? 0 : 1],
      projectId,
      name: `agent-${String(nth)}`,
      said: () => random.below(12_000),
      maxOutputTokens: 1_000,
      ...(nth < 2 && { diesAt: 1 }),
    }),
  );
  const turns = (await Promise.all(talks)).reduce((sum, count) => sum + count, 0);
  const end = await endOf(root);
  process.stdout.write(`7 conversations, 2 processes, one cap of tokens: ${JSON.stringify({ seed, turns, ...end })}\n`);
  expect(turns).toBeGreaterThan(14);
  expect(end.statuses).toEqual(expect.arrayContaining(['done', 'failed', 'cut', 'lost']));
  expect(end).toMatchObject({ counted: end.used, reserved: 0, open: 0 });
  return end;
}

describe('7 conversations of two processes that use up one cap of tokens together, in spite of everything', () => {
  it('never go past it where the cache holds what it held', async () => {
    const end = await sevenTalks(11, 0);
    expect(end.errors).toBe(0);
    expect(end.used).toBeLessThanOrEqual(CAP);
  }, 60_000);

  it('go past it by no more than what calls counted beyond their reservations where the cache forgets', async () => {
    const end = await sevenTalks(2_026, 0.15);
    expect(end.errors).toBeGreaterThan(0);
    expect(end.used).toBeLessThanOrEqual(CAP + end.errors);
  }, 60_000);
});
