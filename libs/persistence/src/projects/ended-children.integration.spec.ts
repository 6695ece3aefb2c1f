import { describe, expect, it } from 'vitest';
import {
  defineMachine, initialSnapshot, type ProjectFacts, report, type RunnableMachine, waitForChildren,
} from '#engine'; // prettier-ignore
import { newId } from '#kernel';
import { eventually, sampleSeed } from '#testing';
import { PgCheckpoints } from '../checkpoints/pg-checkpoints.js';
import { PgRestore } from '../checkpoints/pg-restore.js';
import { useDatabase } from './database.fixture.js';
import { insertProject } from './new-project.js';
import { PgProjectStore } from './pg-project.store.js';
import { PgWorkerStore } from './pg-worker.store.js';
import { inTransaction } from './pool.js';
import { workerOn } from './worker.fixture.js';

const outing = defineMachine(
  'outing',
  1,
  { SHARING: { do: 'share', on: { shared: 'HOME' } }, HOME: { end: 'completed' } },
  { abortTo: 'HOME' },
);
const errand = defineMachine(
  'errand',
  1,
  { RUNNING: { do: 'run', on: { ran: 'DONE' } }, DONE: { end: 'completed' } },
  { abortTo: 'DONE' },
);

const database = useDatabase('ended-children');

/** Too long to stand in the manifest: both errands share one stored value. */
const LONG = 'done '.repeat(50);

/** Drives an outing with two errands; `spoil` gets at the first errand when both have ended, before they are joined. */
async function outingWith(
  spoil: (childId: string) => Promise<unknown>,
  long = false,
): Promise<{ id: string; joined: unknown }> {
  const keys = ['a', 'b'];
  const children = keys.map((key) => ({ key, machine: 'errand', context: { key } }));
  let isSpoilt = false;
  const share: RunnableMachine['activities'][string] = async ({ project, joined }) => {
    const ended = await database.pool.query<{ id: string }>(
      `SELECT id FROM project WHERE parent_id = $1 AND status = 'completed' ORDER BY parent_key`,
      [project.id],
    );
    if (!isSpoilt && ended.rowCount === keys.length) {
      isSpoilt = true;
      await spoil(ended.rows[0]?.id ?? '');
    }
    const results = await joined(children);
    return results ? report('shared', { result: results.map(({ result }) => result) }) : waitForChildren(children);
  };
  const run: RunnableMachine['activities'][string] = ({ context }) =>
    Promise.resolve(report('ran', { result: long ? LONG : [context['key'] ?? null, 'done'] }));
  const known = new Map<string, RunnableMachine>([
    ['outing', { machine: outing, guards: {}, activities: { share } }],
    ['errand', { machine: errand, guards: {}, activities: { run } }],
  ]);
  const restore = new PgRestore(
    database.pool,
    new PgCheckpoints(database.pool, null),
    () => Promise.resolve(errand),
    null,
  );
  const worker = workerOn(database.pool, known, {
    apply: async (projectId) => (await restore.restoreLastGood(projectId)) !== null,
  });
  const id = await newOuting();
  await worker.start();
  try {
    await eventually('the outing ends', async () => {
      const { rows } = await database.pool.query<{ status: string }>('SELECT status FROM project WHERE id = $1', [id]);
      return rows[0]?.status === 'completed';
    });
  } finally {
    await worker.stop(1_000);
  }
  const head = `SELECT c.manifest ->> 'result' AS joined FROM project p JOIN checkpoint c ON c.project_id = p.id AND c.seq = p.version WHERE p.id = $1`;
  const { rows } = await database.pool.query<{ joined: string }>(head, [id]);
  return { id, joined: rows[0]?.joined };
}

async function newOuting(): Promise<string> {
  const id = newId();
  const facts: ProjectFacts = {
    id, name: `outing-${id}`, machine: 'outing', machineVersion: 1, request: 'Go', parameters: {}, repo: null,
    parent: null, startedBy: 'human', traceparent: null,
  }; // prettier-ignore
  const rest = { number: null, mode: 'outing', options: {}, labels: {}, parentIncarnation: null, events: [] };
  const seed = { facts, snapshot: initialSnapshot(outing, {}), status: 'running', runnable: true } as const;
  await inTransaction(database.pool, (client) => insertProject(client, { ...seed, ...rest }, null));
  return id;
}

const LAST = `project_id = $1 AND seq = (SELECT version FROM project WHERE id = $1)`;

describe('an errand that has ended, and whose newest checkpoint was spoilt before its parent joined it', () => {
  it.each([
    ['was deleted', `DELETE FROM checkpoint WHERE ${LAST}`],
    [
      'was edited, valid JSON',
      `UPDATE checkpoint SET manifest = manifest || '{"result":"=\\"forged\\""}' WHERE ${LAST}`,
    ],
    ['was given a number', `UPDATE checkpoint SET manifest = manifest || '{"result":0}' WHERE ${LAST}`],
    ['cannot be read', `UPDATE checkpoint SET body = '' WHERE ${LAST}`],
  ])('goes on from its last good one and ends again: it %s', async (_, sql) => {
    const { id, joined } = await outingWith((child) => database.pool.query(sql, [child]));
    expect(joined).toBe('=[["a","done"],["b","done"]]');
    const told = `SELECT DISTINCT e.type FROM event e JOIN project p ON p.id = e.project_id
      WHERE p.parent_id = $1 AND e.type LIKE 'checkpoint.%' ORDER BY 1`;
    const { rows } = await database.pool.query<{ type: string }>(told, [id]);
    expect(rows.map(({ type }) => type)).toContain('checkpoint.restored');
  });

  it('tells its parent once more when its last good one is its end already', async () => {
    const { joined } = await outingWith(async (child) => {
      // A second link that says the same: what a restore of an ended project leaves.
      await database.pool.query(
        `WITH twin AS (UPDATE project SET version = version + 1 WHERE id = $1 RETURNING id, version)
         INSERT INTO checkpoint (project_id, seq, prev, checksum, body, manifest)
         SELECT t.id, t.version, c.checksum, c.checksum, '', c.manifest
         FROM twin t JOIN checkpoint c ON c.project_id = t.id AND c.seq = t.version - 1`,
        [child],
      );
    });
    expect(joined).toBe('=[["a","done"],["b","done"]]');
  });

  it('is joined when a value that it shares with another was damaged, and came back with that one', async () => {
    const damage = `UPDATE blob SET content = 'x' WHERE hash =
      (SELECT manifest ->> 'result' FROM checkpoint WHERE ${LAST})`;
    const { joined } = await outingWith((child) => database.pool.query(damage, [child]), true);
    const { rows } = await database.pool.query<{ content: Buffer }>('SELECT content FROM blob WHERE hash = $1', [
      joined,
    ]);
    expect(JSON.parse(String(rows[0]?.content))).toEqual([LONG, LONG]);
  });

  it('has its parent look again, in case it is sound by the time that somebody looks at it', async () => {
    const store = new PgProjectStore(database.pool, null);
    const workers = new PgWorkerStore(database.pool, { host: 'here', pid: process.pid, pidStartedAt: '1' });
    const parent = await store.claim(await newOuting(), 'w');
    if (parent.kind !== 'claimed') throw new Error(parent.kind);
    const { lease, facts } = parent.project;
    const child = sampleSeed({}, { parent: { id: facts.id, key: 'a', visit: 1 } });
    const ask = (number: number) => store.write(lease, { number, children: [{ ...child, incarnation: 1 }] });
    await ask(1);
    await database.pool.query(`UPDATE project SET status = 'completed', runnable = false WHERE id = $1`, [
      child.facts.id,
    ]);
    const spoil = `UPDATE checkpoint SET checksum = reverse(checksum) WHERE project_id = $1`;
    await database.pool.query(spoil, [child.facts.id]);
    await ask(2);
    expect(await store.pendingSignals(facts.id)).toEqual([]);
    expect(await workers.stranded('w', [], 1_000)).toContain(child.facts.id);
    await database.pool.query(spoil, [child.facts.id]);
    // Times are kept to the millisecond, and rounded: now may be half of one ahead.
    const due = `UPDATE timer SET fire_at = now() - interval '1 second' WHERE project_id = $1`;
    await database.pool.query(due, [facts.id]);
    await workers.fireDueTimers(1_000);
    expect(await store.pendingSignals(facts.id)).toMatchObject([{ body: { kind: 'wake', visit: 1 } }]);
    expect(await store.children(facts.id, 1, 1)).toMatchObject([{ key: 'a', outcome: 'completed' }]);
    await store.release(lease, { runnable: false, seenSignal: null });
  });

  it('is joined at once when nothing is wrong with it', async () => {
    const { id, joined } = await outingWith(() => Promise.resolve());
    expect(joined).toBe('=[["a","done"],["b","done"]]');
    const asked = `SELECT 1 FROM event WHERE project_id = $1 AND type = 'child.started'`;
    expect((await database.pool.query(asked, [id])).rowCount).toBe(2);
  });
});
