import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointDetail, Gate, Project, ProjectEvent } from '#contracts';
import { initialSnapshot, type Machine } from '#engine';
import { canonicalJson, type Json, type JsonObject, newId, sha256Hex } from '#kernel';
import { freshDatabase, type FreshDatabase } from '#testing';
import { aboutOf, callOf, hold, holdWithBudget, ledgerOn } from '../ledger/ledger.fixture.js';
import { PgMachineArchive } from '../machines/pg-machine.archive.js';
import { insertProject } from '../projects/new-project.js';
import { inTransaction, openPool } from '../projects/pool.js';
import { type ApiStores, openApiStores, type PrismaProjectReads } from './index.js';

const machine: Machine = {
  name: 'asking',
  version: 1,
  initial: 'ASK',
  abortTo: 'DONE',
  states: {
    ASK: { gate: { name: 'go', ask: 'Shall it?', options: { approve: 'go:yes' } }, on: { 'go:yes': [{ to: 'REST' }] } },
    HURRY: {
      gate: {
        name: 'hurry',
        ask: 'Shall it now?',
        options: { approve: 'go:yes' },
        consequences: { approve: 'It does.' },
        default: 'It does anyway.',
      },
      timer: { event: 'rested', ms: 60_000 },
      on: { 'go:yes': [{ to: 'REST' }], rested: [{ to: 'DONE' }] },
    },
    REST: { timer: { event: 'rested', ms: 60_000 }, on: { rested: [{ to: 'DONE' }] } },
    DONE: { end: 'completed', on: {} },
  },
};

let database: FreshDatabase;
let pool: pg.Pool;
let stores: ApiStores;
let reads: PrismaProjectReads;
beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 5, name: 'test', onError: () => undefined });
  stores = openApiStores(pool);
  reads = stores.reads;
  await archive(machine);
});
afterAll(async () => {
  await stores.close();
  await pool.end();
  await database.drop();
});

const archive = (one: Machine): Promise<string> =>
  new PgMachineArchive(pool).keep(one, sha256Hex(canonicalJson(one as unknown as Json)));

let number = 0;
async function project(
  labels: Record<string, string> = {},
  parent: string | null = null,
  context: JsonObject = {},
): Promise<string> {
  number += 1;
  const id = newId();
  const snapshot = initialSnapshot(machine, { result: { nth: number }, ...context });
  const facts = {
    id,
    name: `${String(number).padStart(3, '0')}-test`,
    machine: machine.name,
    machineVersion: 1,
    request: 'test',
    parameters: { steps: 2 },
    repo: { path: '/repo', ref: 'main' },
    parent: parent === null ? null : { id: parent, key: 'a', visit: 1 },
    startedBy: 'human' as const,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  const events = ['project.created', 'one', 'two'].map((type) => ({ type, data: { type } }));
  const seed = {
    facts,
    snapshot,
    status: 'waiting',
    runnable: false,
    mode: 'asking',
    options: {},
    labels,
    events,
  } as const;
  const rest = { number: parent === null ? number : null, parentIncarnation: parent === null ? null : 1 };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest }, null));
  return id;
}

describe('the read side', () => {
  it('shows a project by id and by name, with the gate it waits at', async () => {
    const id = await project({ team: 'web' });
    const shown = await reads.get(id);
    expect(await reads.get(shown.name)).toEqual(shown);
    expect(shown).toMatchObject({
      id,
      status: 'waiting',
      waitingFor: { kind: 'gate', gate: 'go', ask: 'Shall it?', why: null, options: ['approve'] },
      parameters: { steps: 2 },
      labels: { team: 'web' },
      repo: { path: '/repo', ref: 'main' },
      traceId: '0af7651916cd43dd8448eb211c80319c',
    });
    expect(Project.parse(shown)).toEqual(shown);
    expect(await reads.gates(id)).toMatchObject([{ name: 'go', options: ['approve'], checkpoint: { seq: 1 } }]);
  });

  it('says at a gate what happens when by itself, and of an old table what it knows', async () => {
    const [old, hurried] = [await project(), await project()];
    await pool.query(`UPDATE project SET state = 'HURRY' WHERE id = $1`, [hurried]);
    await pool.query(
      `INSERT INTO timer (project_id, visit, event, fire_at) VALUES ($1, 2, 'rested', '2026-01-03T00:00:00Z')`,
      [hurried],
    );
    const [gate] = await reads.gates(hurried);
    const byItself = { does: 'It does anyway.', at: '2026-01-03T00:00:00.000Z' };
    expect(Gate.parse(gate)).toMatchObject({ consequences: { approve: 'It does.' }, default: byItself });
    const { waitingFor, createdAt } = await reads.get(hurried);
    expect(waitingFor).toMatchObject({ consequences: { approve: 'It does.' }, default: byItself, openedAt: createdAt });
    expect(await reads.gates(old)).toMatchObject([{ consequences: {}, default: null }]);
  });

  it.each(['short', 'a long story '.repeat(500)])('says why a project waits at a gate', async (why) => {
    const id = await project({}, null, { why });
    expect((await reads.get(id)).waitingFor).toMatchObject({ kind: 'gate', why });
    expect(await reads.gates(id)).toMatchObject([{ name: 'go', why }]);
    const { data } = await reads.openGates({ limit: 200 });
    expect(data.find((gate) => gate.project.id === id)?.why).toBe(why);
  });

  it('says that a model was simulated from the first call on, of a project and of its family', async () => {
    const parent = await project();
    const child = await project({}, parent);
    const simulated = async (): Promise<boolean[]> => [
      (await reads.get(parent)).simulated,
      (await reads.get(child)).simulated,
    ];
    expect(await simulated()).toEqual([false, false]);
    await holdWithBudget(pool, parent);
    await hold(pool, child, 1);
    const call = callOf(aboutOf(child), { nanoUsd: 1n, tokens: 1 });
    await ledgerOn(pool).reserve({ ...call, isSimulated: true });
    expect(await simulated()).toEqual([true, true]);
    expect((await reads.get(await project())).simulated).toBe(false);
  });

  it('shows whether the request is proven and by what, and calls it simulated after a simulated call', async () => {
    expect(await reads.get(await project())).toMatchObject({ proven: null, proof: null });
    const id = await project({}, null, { isProven: true, evidence: ['npm test failed before and passes now'] });
    const proof = { evidence: ['npm test failed before and passes now'] };
    expect(await reads.get(id)).toMatchObject({ proven: 'yes', proof });
    await holdWithBudget(pool, id);
    await ledgerOn(pool).reserve({ ...callOf(aboutOf(id), { nanoUsd: 1n, tokens: 1 }), isSimulated: true });
    expect(await reads.get(id)).toMatchObject({ proven: 'simulated', proof });
  });

  it('says until when a project waits for a time, by the newest of its timers', async () => {
    const id = await project();
    const stands = (state: string, waiting: string | null): Promise<unknown> =>
      pool.query(`UPDATE project SET status = 'running', state = $2, waiting = $3 WHERE id = $1`, [id, state, waiting]);
    const timer = (visit: number, event: string, at: string): Promise<unknown> =>
      pool.query('INSERT INTO timer (project_id, visit, event, fire_at) VALUES ($1, $2, $3, $4)', [
        id,
        visit,
        event,
        at,
      ]);
    await timer(1, '', '2026-01-01T00:00:00Z');
    await timer(2, '', '2026-01-02T00:00:00Z');
    await timer(2, 'rested', '2026-01-03T00:00:00Z');
    await stands('DONE', '{"kind":"time","reason":"quota","ms":5000}');
    const quota = { kind: 'time', reason: 'quota', ms: 5_000, until: '2026-01-02T00:00:00.000Z' };
    expect((await reads.get(id)).waitingFor).toEqual(quota);
    await stands('REST', null);
    const rest = { kind: 'time', reason: 'rested', until: '2026-01-03T00:00:00.000Z' };
    expect((await reads.get(id)).waitingFor).toEqual(rest);
    await pool.query('DELETE FROM timer WHERE project_id = $1', [id]);
    expect((await reads.get(id)).waitingFor).toEqual({ ...rest, until: null });
  });

  it('lists newest first, page by page, each once, without children, also those made in the same millisecond', async () => {
    const label = newId();
    const made: string[] = [];
    for (let nth = 0; nth < 7; nth += 1) made.push(await project({ batch: label }));
    await pool.query(`UPDATE project SET created_at = '2026-01-01T00:00:00Z' WHERE id = ANY($1)`, [made.slice(2, 5)]);
    await project({ batch: label }, made[0] ?? null);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reads.list({ limit: 2, label: `batch:${label}`, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.data.map((one) => one.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen)).toEqual(new Set(made));
    expect(seen).toHaveLength(7);
    expect(seen.slice(0, 4)).toEqual([made[6], made[5], made[1], made[0]]);
  });

  it('filters by state, status, mode and label', async () => {
    const label = newId();
    await project({ one: label, other: 'a:b' });
    const count = async (filter: object): Promise<number> =>
      (await reads.list({ limit: 200, label: `one:${label}`, ...filter })).data.length;
    expect(await count({})).toBe(1);
    expect(await count({ state: 'ASK', status: 'waiting', mode: 'asking' })).toBe(1);
    expect(await count({ state: 'DONE' })).toBe(0);
    expect(await count({ status: 'running' })).toBe(0);
    expect(await count({ mode: 'coding' })).toBe(0);
    expect((await reads.list({ limit: 9, label: 'other:a:b' })).data).toHaveLength(1);
    expect((await reads.list({ limit: 9, label: `one:${label}x` })).data).toHaveLength(0);
  });

  it('reads events from any place, and how far they go', async () => {
    const id = await project();
    const page = await reads.events(id, 0, 2);
    expect(page.data.map((event) => [event.seq, event.type])).toEqual([
      [1, 'project.created'],
      [2, 'one'],
    ]);
    for (const event of page.data) expect(ProjectEvent.parse(event)).toEqual(event);
    expect(page.nextCursor).toBe('2');
    expect(await reads.events(id, 2, 2)).toMatchObject({ data: [{ seq: 3, data: { type: 'two' } }], nextCursor: null });
    expect(await reads.heads([id, newId()])).toEqual(new Map([[id, { seq: 3, hasEnded: false }]]));
    await pool.query(`UPDATE project SET status = 'completed' WHERE id = $1`, [id]);
    expect((await reads.heads([id])).get(id)).toEqual({ seq: 3, hasEnded: true });
    expect(await reads.gates(id)).toEqual([]);
  });

  it('lists whatever waits for a person, longest wait first, and counts projects by state', async () => {
    const first = await reads.openGates({ limit: 2 });
    const second = await reads.openGates({ limit: 2, cursor: first.nextCursor ?? '' });
    for (const gate of first.data) expect(Gate.parse(gate)).toEqual(gate);
    const names = [...first.data, ...second.data].map((gate) => gate.project.name);
    expect(new Set(names).size).toBe(4);
    const counts = await reads.countByState();
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(number);
  });

  it('shows a project whose stored table was damaged, without its gate, until the table is kept again', async () => {
    const odd = { ...machine, name: 'odd' };
    await archive(odd);
    const id = await project();
    await pool.query(`UPDATE project SET machine = 'odd' WHERE id = $1`, [id]);
    for (const definition of ['', '[]', '{"states":{"ASK":1}}', JSON.stringify({ ...odd, initial: 'DONE' })]) {
      await pool.query(`UPDATE machine SET definition = $1 WHERE name = 'odd'`, [definition]);
      expect(await reads.get(id)).toMatchObject({ status: 'waiting', waitingFor: null });
      expect((await reads.list({ limit: 200 })).data.map((one) => one.id)).toContain(id);
      const found = await new PgMachineArchive(pool).find('odd', 1);
      expect(found).toMatchObject({
        kind: 'damaged',
        reason: expect.stringMatching(/stored table of odd@1/) as string,
      });
    }
    await archive(odd);
    expect(await new PgMachineArchive(pool).find('odd', 1)).toEqual({ kind: 'found', machine: odd });
    expect(await reads.gates(id)).toMatchObject([{ name: 'go' }]);
    await pool.query(`UPDATE project SET status = 'completed' WHERE id = $1`, [id]);
  });

  it('says so when there is no such project, and refuses a cursor of its own making', async () => {
    await expect(reads.get('999-nothing')).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
    await expect(reads.get(newId())).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
    await expect(reads.list({ limit: 1, cursor: 'bm9wZQ' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('shows checkpoints with what they hold, as far as a broken one can be read', async () => {
    const chain = stores.checkpoints;
    const id = await project();
    expect(await chain.list(id, { limit: 5 })).toMatchObject({
      data: [{ seq: 1, state: 'ASK', cause: 'created', sealed: false, quarantine: null }],
      nextCursor: null,
    });
    const detail = await chain.read(id, 1);
    expect(detail).toMatchObject({ snapshot: { state: 'ASK', context: { result: { nth: number } } } });
    expect(() => CheckpointDetail.parse(detail)).not.toThrow();
    await expect(chain.read(id, 2)).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_FOUND' });
    await pool.query(`UPDATE checkpoint SET body = '\\x7b' WHERE project_id = $1`, [id]);
    expect(await chain.read(id, 1)).toMatchObject({ seq: 1, state: null, snapshot: null });
  });
});
