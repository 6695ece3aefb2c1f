import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineMachine, initialSnapshot, type ProjectFacts, type Snapshot, statusOf } from '#engine';
import { newId } from '#kernel';
import { freshDatabase, type FreshDatabase } from '#testing';
import { appendEvents } from '../projects/event-group.js';
import { insertProject } from '../projects/new-project.js';
import { PgProjectStore } from '../projects/pg-project.store.js';
import { PgWorkerStore } from '../projects/pg-worker.store.js';
import { inTransaction, openPool } from '../projects/pool.js';
import { sendSignal } from '../projects/send-signal.js';
import { PgCheckpoints } from './pg-checkpoints.js';
import { PgRestore, type RestoreOrder } from './pg-restore.js';

const machine = defineMachine(
  'restored',
  1,
  {
    ASKING: { gate: { name: 'go', ask: 'Go on?', options: { yes: 'agreed' } }, on: { agreed: 'WORKING' } },
    WORKING: { do: 'work', on: { done: 'DONE' } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
);

let database: FreshDatabase;
let pool: pg.Pool;
let checkpoints: PgCheckpoints;
let restore: PgRestore;
let store: PgProjectStore;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 8, name: 'restore-test', onError: () => undefined });
  checkpoints = new PgCheckpoints(pool, null);
  restore = new PgRestore(pool, checkpoints, () => Promise.resolve(machine), null);
  store = new PgProjectStore(pool, null);
  await new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: '1' }).heartbeat('w', 600_000);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A project with a chain of two links: at the gate, then at work. */
async function twoLinks(parent: ProjectFacts['parent'] = null): Promise<string> {
  const id = newId();
  const snapshot: Snapshot = initialSnapshot(machine, {});
  const facts: ProjectFacts = {
    id, name: `restored-${id}`, machine: machine.name, machineVersion: 1, request: 'A test', parameters: {},
    repo: null, parent, startedBy: 'human', traceparent: null,
  }; // prettier-ignore
  const status = statusOf(machine, snapshot);
  const rest = { number: null, mode: 'test', options: {}, labels: {}, parentIncarnation: null, events: [] };
  await inTransaction(pool, (client) =>
    insertProject(client, { facts, snapshot, status, runnable: true, ...rest }, null),
  );
  const claim = await store.claim(id, 'w');
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const { lease } = claim.project;
  // Long enough to be stored by its hash.
  const note = id.repeat(5);
  const next: Snapshot = { ...snapshot, state: 'WORKING', visit: 2, paused: true, context: { note } };
  const changed = { note };
  await store.write(lease, { number: 1, next: { snapshot: next, version: 2, status: 'paused', cause: 'go', changed } });
  await store.release(lease, { runnable: false, seenSignal: null });
  return id;
}

const spoilHead = (id: string) => pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1 AND seq = 2`, [id]);
const abort = (id: string) =>
  sendSignal(pool, id, 'human', { kind: 'command', id: newId(), command: 'ABORT', visit: 0 });

async function row(id: string) {
  const { rows } = await pool.query<{ version: number; status: string; state: string; runnable: boolean }>(
    'SELECT version, status, state, runnable FROM project WHERE id = $1',
    [id],
  );
  return rows[0];
}

async function told(id: string, type: string): Promise<Record<string, unknown>[]> {
  const sql = 'SELECT data FROM event WHERE project_id = $1 AND type = $2 ORDER BY seq';
  const { rows } = await pool.query<{ data: string }>(sql, [id, type]);
  return rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

const asked = (projectId: string, more: Partial<RestoreOrder> = {}) =>
  restore.restore({ projectId, seq: 1, rule: 'asked-by-a-person', pause: true, details: {}, ...more });

describe('a restore and the signals that wait', () => {
  it('by the rule last-good keeps a command that was acknowledged, and somebody to deliver it', async () => {
    const id = await twoLinks();
    await abort(id);
    await spoilHead(id);
    expect(await restore.restoreLastGood(id)).toBe(1);
    expect(await row(id)).toEqual({ version: 3, status: 'waiting', state: 'ASKING', runnable: true });
    const claim = await store.claim(id, 'w');
    expect(claim).toMatchObject({ kind: 'claimed', project: { signals: [{ body: { command: 'ABORT' } }] } });
  });

  it('by the rule last-good has a project that waits at a gate shown as it is now, when nothing was said to it', async () => {
    const id = await twoLinks();
    await spoilHead(id);
    await restore.restoreLastGood(id);
    expect(await row(id)).toMatchObject({ status: 'waiting', runnable: true });
  });

  it('by a person tells every sender that what it was meant for is gone', async () => {
    const id = await twoLinks();
    await abort(id);
    await sendSignal(pool, id, 'engine', { kind: 'wake', visit: 2 });
    await asked(id);
    expect(await row(id)).toMatchObject({ version: 3, status: 'paused', runnable: true });
    expect(await store.pendingSignals(id)).toEqual([]);
    expect(await told(id, 'signal.noted')).toMatchObject([
      { signal: 1, kind: 'command', cause: 'ABORT', by: 'human' },
      { signal: 2, kind: 'wake', by: 'engine' },
    ]);
  });
});

describe('a restore that one operation asks for more than once', () => {
  it('happens once, at the same time or later, and touches neither files nor signals again', async () => {
    const id = await twoLinks();
    const files: number[] = [];
    const whileHeld = async ({ link }: { link: { seq: number } }) => ({ files: files.push(link.seq) });
    const order = { operation: newId(), whileHeld };
    await Promise.all([1, 2, 3].map(() => asked(id, order)));
    await abort(id);
    await asked(id, order);
    expect(await row(id)).toMatchObject({ version: 3 });
    expect(files).toEqual([1]);
    expect(await store.pendingSignals(id)).toHaveLength(1);
    expect(await told(id, 'checkpoint.restored')).toEqual([
      // With what was told of the files.
      { from: 2, to: 1, as: 3, rule: 'asked-by-a-person', files: 1, id: order.operation },
    ]);
  });

  it('is told from another one, and from an event that quotes its id', async () => {
    const id = await twoLinks();
    const operation = newId();
    await appendEvents(pool, id, [{ type: 'activity.reported', data: { id: operation } }]);
    await asked(id, { details: { id: [operation] } });
    await asked(id, { operation });
    await asked(id, { operation: newId() });
    expect(await row(id)).toMatchObject({ version: 5 });
  });

  it('is refused each time that it may not be done', async () => {
    const id = await twoLinks();
    await pool.query(`UPDATE project SET status = 'running' WHERE id = $1`, [id]);
    const operation = newId();
    await expect(asked(id, { operation })).rejects.toMatchObject({ code: 'PROJECT_NOT_AT_REST' });
    await pool.query(`UPDATE project SET status = 'paused' WHERE id = $1`, [id]);
    await asked(id, { operation });
    expect(await row(id)).toMatchObject({ version: 3 });
  });
});

describe('workers that find the same link bad at the same time', () => {
  it('bring the project back once', async () => {
    const id = await twoLinks();
    await spoilHead(id);
    const files: number[] = [];
    const whileHeld = async ({ link }: { link: { seq: number } }) => ({ files: files.push(link.seq) });
    await Promise.all([1, 2, 3].map(() => restore.restoreLastGood(id, whileHeld)));
    expect(await row(id)).toMatchObject({ version: 3 });
    expect(await told(id, 'checkpoint.restored')).toHaveLength(1);
    expect(files).toEqual([1]);
  });

  it('hold it once, and never after a person has brought it back', async () => {
    const id = await twoLinks();
    await spoilHead(id);
    const found = { seq: 2, reason: 'spoilt' };
    await Promise.all([restore.hold(id, found), restore.hold(id, found)]);
    expect(await told(id, 'project.held')).toHaveLength(1);
    await pool.query('UPDATE project SET runnable = true WHERE id = $1', [id]);
    await restore.hold(id, found);
    expect(await row(id)).toMatchObject({ status: 'blocked', runnable: false });
    await asked(id);
    await restore.hold(id, found);
    expect(await row(id)).toMatchObject({ version: 3, status: 'paused' });
    expect(await told(id, 'project.held')).toHaveLength(1);
  });
});

it('a child that is held, or waits after the rule brought it back, is told of once, as of the project it works for', async () => {
  const parent = await twoLinks();
  const child = await twoLinks({ id: parent, key: 'a', visit: 1 });
  const listen = `INSERT INTO webhook_endpoint (id, project_id, url, types, secret) VALUES ($1, $2, 'https://x', '{}', '-')`;
  await pool.query(listen, [newId(), parent]);
  await spoilHead(child);
  await Promise.all([1, 2].map(() => restore.hold(child, { seq: 2, reason: 'spoilt' })));
  await restore.restoreLastGood(child);
  const sql = 'SELECT type, details FROM webhook_delivery WHERE project_id = $1 ORDER BY type';
  const { rows } = await pool.query<{ type: string; details: string }>(sql, [parent]);
  expect(rows.map(({ type, details }) => ({ type, ...(JSON.parse(details) as object) }))).toMatchObject([
    { type: 'project.blocked', child: { id: child, checkpoint: 2 }, waitingFor: { kind: 'checkpoint' } },
    { type: 'project.waiting', child: { id: child, checkpoint: 3 }, waitingFor: { gate: 'go' } },
  ]);
});

describe('a restore that a person asks for is refused', () => {
  it('when the project has ended, with the advice to fork', async () => {
    const id = await twoLinks();
    await pool.query(`UPDATE project SET status = 'completed' WHERE id = $1`, [id]);
    await expect(asked(id)).rejects.toMatchObject({
      code: 'PROJECT_ENDED',
      message: expect.stringMatching(/fork/) as string,
    });
  });

  it('for a child, naming its parent, unless the child is held', async () => {
    const parent = await twoLinks();
    const child = await twoLinks({ id: parent, key: 'a', visit: 1 });
    await expect(asked(child)).rejects.toMatchObject({
      code: 'PROJECT_IS_CHILD',
      details: { parent: { id: parent, name: `restored-${parent}` } },
    });
    await spoilHead(child);
    await restore.hold(child, { seq: 2, reason: 'spoilt' });
    await asked(child);
    expect(await row(child)).toMatchObject({ version: 3, status: 'paused' });
  });

  it('only where it is never given back: one that rests is waited for until its worker has let go', async () => {
    const id = await twoLinks();
    await pool.query(`UPDATE project SET lease_worker = 'w' WHERE id = $1`, [id]);
    const restored = asked(id);
    const early = await Promise.race([restored, new Promise((resolve) => setTimeout(resolve, 150, 'it waits'))]);
    expect([early, await row(id)]).toMatchObject(['it waits', { version: 2 }]);
    await pool.query(`UPDATE project SET lease_worker = NULL WHERE id = $1`, [id]);
    await restored;
    expect(await row(id)).toMatchObject({ version: 3, status: 'paused' });
  });

  it('while a child of it still works', async () => {
    const parent = await twoLinks();
    const child = await twoLinks({ id: parent, key: 'a', visit: 1 });
    await pool.query(`UPDATE project SET lease_worker = 'w' WHERE id = $1`, [child]);
    await expect(asked(parent)).rejects.toMatchObject({
      code: 'PROJECT_NOT_AT_REST',
      message: expect.stringMatching(/its children still work; wait a moment/) as string,
    });
    await pool.query(`UPDATE project SET lease_worker = 'a worker that died' WHERE id = $1`, [child]);
    await asked(parent);
  });

  it('before its files go back, when its machine is not to be had', async () => {
    const id = await twoLinks();
    const files: number[] = [];
    const nowhere = new PgRestore(pool, checkpoints, () => Promise.reject(new Error('no machine')), null);
    const whileHeld = async () => ({ files: files.push(1) });
    const order = { projectId: id, seq: 1, rule: 'asked-by-a-person', pause: true, details: {}, whileHeld } as const;
    await expect(nowhere.restore(order)).rejects.toThrow('no machine');
    expect(files).toEqual([]);
  });
});

describe('a value that is not what its hash says', () => {
  const harm = async (id: string, sql: string): Promise<string> => {
    const { rows } = await pool.query<{ hash: string }>(
      `SELECT manifest->>'note' AS hash FROM checkpoint WHERE project_id = $1 AND seq = 2`,
      [id],
    );
    const hash = rows[0]?.hash ?? '';
    await pool.query(sql, [hash]);
    return hash;
  };
  const DAMAGE = `UPDATE blob SET content = '{}' WHERE hash = $1`;
  const fault = [{ seq: 2, reason: 'the value of note does not match its hash' }];

  it('is named, then goes, so that whoever writes it again stores it anew', async () => {
    const id = await twoLinks();
    const hash = await harm(id, DAMAGE);
    expect((await checkpoints.verify(id)).faults).toEqual(fault);
    expect((await pool.query('SELECT 1 FROM blob WHERE hash = $1', [hash])).rowCount).toBe(0);
    // Once quarantined, a link keeps the reason that was found first.
    expect((await checkpoints.verify(id)).faults).toEqual(fault);
    expect(await told(id, 'checkpoint.quarantined')).toHaveLength(1);
  });

  it('is told from one that is missing', async () => {
    const id = await twoLinks();
    await harm(id, 'DELETE FROM blob WHERE hash = $1');
    expect((await checkpoints.verify(id)).faults).toEqual([{ seq: 2, reason: 'the value of note is missing' }]);
  });

  it('spares the others of the store', async () => {
    const [id, other] = [await twoLinks(), await twoLinks()];
    await harm(id, DAMAGE);
    await checkpoints.verify(id);
    expect((await checkpoints.verify(other)).faults).toEqual([]);
  });
});
