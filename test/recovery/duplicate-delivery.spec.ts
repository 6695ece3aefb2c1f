import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { sendSignal } from '#persistence';
import { openWorkQueue, type WorkQueue } from '#queue';
import { eventually, hasRedis } from '#testing';
import { settledInvariants } from './support/kill-case.js';
import { inLab, type QueueKind } from './support/in-lab.js';
import type { Lab } from './support/lab.js';
import { Person } from './support/person.js';

const ORDER = { mode: 'drill', parameters: { rounds: 2, width: 2, workMs: 20, coolMs: 10 } };

const MOST_WAITING = 500;
const STANDING = 'SELECT id, status, version, event_seq, writes FROM project ORDER BY id';

const openQueue = (lab: Lab, redisUrl: string | null): Promise<WorkQueue> =>
  openWorkQueue({ databaseUrl: lab.databaseUrl, redisUrl, log: () => undefined, concurrency: 1 });

async function ids(lab: Lab): Promise<string[]> {
  const { rows } = await lab.pool.query<{ id: string }>('SELECT id FROM project ORDER BY created_at, id');
  return rows.map((row) => row.id);
}

/** Newest projects first, those that ended long ago and one that never was among them. */
async function wakeAll(lab: Lab, queue: WorkQueue, times: number): Promise<void> {
  const stale = [...(await ids(lab)).toReversed(), newId()];
  await queue.add(
    'project.wake',
    Array.from({ length: times }, () => stale.map((projectId) => ({ projectId }))).flat(),
  );
  await lab.pool.query('INSERT INTO outbox (project_id) SELECT id FROM project ORDER BY id DESC');
}

/** How often each effect of one drill ran by the repository's own log, and how often it began by the journal. */
async function ranAndBegan(lab: Lab, id: string): Promise<[unknown, unknown]> {
  const log = await readFile(join(lab.dataDir, 'scratch', id, '.git', 'effects.log'), 'utf8');
  const began = await lab.pool.query<{ key: string }>(
    'SELECT e.key FROM effect e JOIN project p ON p.id = e.project_id WHERE p.id = $1 OR p.parent_id = $1',
    [id],
  );
  return [log.trim().split('\n').sort(), began.rows.map((row) => row.key).sort()];
}

async function nothingHappensTwice(lab: Lab, queue: WorkQueue, times: number): Promise<void> {
  const drills = [await lab.begin(ORDER), await lab.begin(ORDER)];
  const person = new Person(lab);
  await person.attend('the end of drills woken too often', 60_000, async () => {
    if ((await queue.depth()).waiting < MOST_WAITING) await wakeAll(lab, queue, times);
    return person.hasEnded();
  });
  for (const id of drills) {
    const [ran, began] = await ranAndBegan(lab, id);
    expect(ran).toEqual(began);
  }
  const { rows: before } = await lab.pool.query<{ status: string }>(STANDING);
  expect(before.every((row) => row.status === 'completed')).toBe(true);
  await wakeAll(lab, queue, times);
  const isDrained = async (): Promise<boolean> => {
    const { waiting, active, retrying } = await queue.depth();
    const { rowCount } = await lab.pool.query('SELECT 1 FROM outbox LIMIT 1');
    return waiting + active + retrying + (rowCount ?? 0) === 0;
  };
  await eventually('the queue is drained', isDrained, { deadlineMs: 60_000 });
  const { rows: after } = await lab.pool.query(STANDING);
  expect(after).toEqual(before);
  const { rowCount: quarrels } = await lab.pool.query(
    `SELECT project_id FROM event WHERE type IN ('project.taken-over', 'effect.repeated')
     UNION ALL SELECT project_id FROM stale_write`,
  );
  expect(quarrels).toBe(0);
  expect(await settledInvariants(lab)).toEqual([]);
}

describe('wake-ups that come more than once, out of order, or too late', () => {
  const kinds: readonly QueueKind[] = hasRedis() ? ['Postgres', 'Redis'] : ['Postgres'];
  // A lease that outlasts any hiccup: here nobody may take over from anybody.
  const patient = { QRALPH_LEASE_MS: '30000' };

  it.each(kinds)('do nothing twice, 100 and then 2 times each from the queue in %s', (kind) =>
    inLab(kind, async (lab, redisUrl) => {
      const queue = await openQueue(lab, redisUrl);
      try {
        await Promise.all([lab.process({ role: 'worker' }, patient), lab.process({ role: 'worker' }, patient)]);
        for (const times of [100, 2]) await nothingHappensTwice(lab, queue, times);
      } finally {
        await queue.close(1_000);
      }
    }),
  );

  it('move a project once by a decision that is sent a hundred times', () =>
    inLab('Postgres', async (lab) => {
      await lab.process({ role: 'worker' });
      const id = await lab.begin(ORDER);
      const gateOpens = async (): Promise<number | null> => {
        const { rows } = await lab.pool.query<{ n: number; status: string }>(
          `SELECT p.status, (SELECT count(*)::int FROM event e WHERE e.project_id = p.id AND type = 'state.entered') AS n
           FROM project p WHERE id = $1`,
          [id],
        );
        return rows[0]?.status === 'waiting' ? rows[0].n : null;
      };
      const visit = await eventually('the gate opens', gateOpens, { deadlineMs: 30_000 });
      const body = { kind: 'decision', gate: 'approval', decision: 'revise', visit } as const;
      await Promise.all(Array.from({ length: 100 }, () => sendSignal(lab.pool, id, 'human', body)));
      const person = new Person(lab);
      await person.attend('the end of the drill', 30_000, () => person.hasEnded());
      const { rows } = await lab.pool.query<{ revised: number; noted: number }>(
        `SELECT count(*) FILTER (WHERE data::json->>'from' = 'APPROVAL' AND data::json->>'to' = 'SPLITTING')::int AS revised,
                count(*) FILTER (WHERE type = 'signal.noted' AND data::json->>'cause' = 'approval:revise')::int AS noted
         FROM event WHERE project_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ revised: 1, noted: 99 }]);
      expect(await settledInvariants(lab)).toEqual([]);
    }));
});
