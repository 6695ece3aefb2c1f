import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gate, Project } from '#contracts';
import type { JsonObject } from '#kernel';
import { sampleSeed, freshDatabase, type FreshDatabase } from '#testing';
import { appendEvents } from '../projects/event-group.js';
import { insertProject } from '../projects/new-project.js';
import { inTransaction, openPool } from '../projects/pool.js';
import { type ApiStores, openApiStores, type PrismaProjectReads } from './index.js';

let database: FreshDatabase;
let pool: pg.Pool;
let stores: ApiStores;
let reads: PrismaProjectReads;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 5, name: 'test', onError: () => undefined });
  stores = openApiStores(pool);
  reads = stores.reads;
});

afterAll(async () => {
  await stores.close();
  await pool.end();
  await database.drop();
});

interface Standing {
  readonly status: string;
  readonly waiting: object | null;
  readonly parent?: { readonly id: string; readonly key: string; readonly incarnation: number; readonly visit: number };
}

async function project({ status, waiting, parent }: Standing): Promise<string> {
  const seed = sampleSeed({}, parent ? { parent: { id: parent.id, key: parent.key, visit: parent.visit } } : {});
  const rest = { number: null, mode: 'sample', options: {}, labels: {}, events: [] };
  const parentIncarnation = parent?.incarnation ?? null;
  await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest, parentIncarnation }, null));
  const { id } = seed.facts;
  const text = waiting && JSON.stringify(waiting);
  await pool.query('UPDATE project SET status = $2, waiting = $3 WHERE id = $1', [id, status, text]);
  return id;
}

const told = async (id: string, type: string, data: JsonObject, at: string): Promise<void> => {
  await appendEvents(pool, id, [{ type, data }]);
  const last = '(SELECT max(seq) FROM event_group WHERE project_id = $1)';
  await pool.query(`UPDATE event_group SET at = $2 WHERE project_id = $1 AND seq = ${last}`, [id, at]);
};

const failure = { kind: 'step-failed', code: 'DISK_FULL', message: 'no space left' };

describe('what waits for a person', () => {
  it('is listed whatever its kind, each entry with the call that answers it, also where the table is unknown', async () => {
    const effect = await project({
      status: 'waiting',
      waiting: { kind: 'effect', key: '1/1/x', question: 'Was it sent?' },
    });
    const turn = await project({
      status: 'waiting',
      waiting: { kind: 'effect', key: '1/1/y', question: 'Repeat it?', options: ['repeat'] },
    });
    const failed = await project({ status: 'blocked', waiting: failure });
    const held = await project({ status: 'blocked', waiting: { kind: 'checkpoint', seq: 7, reason: 'a flipped bit' } });
    await project({ status: 'running', waiting: { kind: 'time', reason: 'later', ms: 5 } });
    await project({ status: 'aborted', waiting: failure });
    const { data } = await reads.openGates({ limit: 10 });
    for (const gate of data) expect(Gate.parse(gate)).toEqual(gate);
    expect(data.map((gate) => [gate.project.id, gate.kind, gate.name, gate.options])).toEqual([
      [effect, 'effect', 'settle-effect', ['repeat', 'done']],
      [turn, 'effect', 'settle-effect', ['repeat']],
      [failed, 'step-failed', 'failed-step', ['RETRY', 'ABORT']],
      [held, 'checkpoint', 'bad-checkpoint', ['restore']],
    ]);
    const answers = data.map((gate) => gate.answer);
    expect(answers[0]).toContain(`POST /v1/projects/${effect}/gates/settle-effect`);
    expect(answers[2]).toContain(`POST /v1/projects/${failed}/commands`);
    expect(answers[3]).toContain(`POST /v1/projects/${held}/checkpoints/{seq}/restore`);
    expect(data.map((gate) => gate.ask)).toEqual([
      'Was it sent?',
      'Repeat it?',
      expect.stringContaining('DISK_FULL: no space left'),
      expect.stringContaining('Checkpoint 7 cannot be used: a flipped bit'),
    ]);
    for (const { options, consequences } of data) expect(Object.keys(consequences)).toEqual(options);
    expect(data.map((gate) => gate.default)).toEqual([null, null, null, null]);
    expect(await reads.gates(failed)).toEqual([data[2]]);
    expect((await reads.get(failed)).waitingFor).toEqual(failure);
  });

  it('is found from a child by its parent, and from the parent by its children', async () => {
    const parent = await project({ status: 'running', waiting: { kind: 'children', keys: ['a', 'b'] } });
    const of = { id: parent, incarnation: 2, visit: 4 };
    await project({ status: 'running', waiting: null, parent: { ...of, key: 'a', incarnation: 1, visit: 2 } });
    const stuck = await project({ status: 'blocked', waiting: failure, parent: { ...of, key: 'a' } });
    const busy = await project({ status: 'running', waiting: null, parent: { ...of, key: 'b' } });
    await project({ status: 'completed', waiting: null, parent: { ...of, key: 'c' } });
    const { name, waitingFor } = Project.parse(await reads.get(parent));
    expect(waitingFor).toEqual({
      kind: 'children',
      keys: ['a', 'b'],
      children: [
        { key: 'a', id: stuck, status: 'blocked' },
        { key: 'b', id: busy, status: 'running' },
      ],
    });
    const [gate] = await reads.gates(stuck);
    expect(gate?.project).toMatchObject({ id: stuck, parent: { id: parent, name } });
    expect((await reads.openGates({ limit: 10 })).data).toContainEqual(gate);
  });

  it('is listed by when it was asked, whatever was written to the project since, and page by page', async () => {
    await pool.query('DELETE FROM project');
    const waiting = { kind: 'effect', key: '1/1/x', question: 'Was it sent?' };
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      const id = await project({ status: 'waiting', waiting });
      ids.push(id);
      await told(id, 'project.waits', { nth }, `2026-01-0${String(9 - nth)}T00:00:00Z`);
    }
    const oldestFirst = ids.toReversed();
    const order = async (limit: number): Promise<string[]> => {
      const listed: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await reads.openGates({ limit, ...(cursor !== undefined && { cursor }) });
        listed.push(...page.data.map((gate) => gate.project.id));
        if (page.nextCursor === null) return listed;
        cursor = page.nextCursor;
      }
    };
    expect([await order(10), await order(2), await order(1)]).toEqual([oldestFirst, oldestFirst, oldestFirst]);
    const [first = ''] = oldestFirst;
    await told(first, 'note.added', { text: '["gate.opened",{ is only quoted here' }, '2026-02-01T00:00:00Z');
    await pool.query('UPDATE project SET version = version + 1, updated_at = now() WHERE id = $1', [first]);
    expect(await order(2)).toEqual(oldestFirst);
    expect((await reads.gates(first))[0]?.openedAt).toBe('2026-01-05T00:00:00.000Z');
    expect((await reads.get(first)).waitingFor).toMatchObject({ kind: 'gate', openedAt: '2026-01-05T00:00:00.000Z' });
    await told(first, 'gate.opened', { gate: 'g' }, '2026-02-02T00:00:00Z');
    expect(await order(2)).toEqual([...oldestFirst.slice(1), first]);
  });
});
