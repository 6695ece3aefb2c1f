import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { type FreshDatabase, freshDatabase, sampleSeed } from '#testing';
import { insertProject } from '../projects/new-project.js';
import { PgProjectStore } from '../projects/pg-project.store.js';
import { PgWorkerStore } from '../projects/pg-worker.store.js';
import { inTransaction, openPool } from '../projects/pool.js';
import { PgProcessRegistry } from './pg-process.registry.js';

let database: FreshDatabase;
let pool: pg.Pool;
let pid = 0;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 4, name: 'processes', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const workers = (): PgWorkerStore => new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: 'boot:1' });

/** A worker with a project and one process that works for it. */
async function working(): Promise<{
  worker: string;
  projectId: string;
  isAbandoned: () => Promise<boolean | undefined>;
}> {
  const seed = sampleSeed();
  const projectId = seed.facts.id;
  const worker = `w-${newId()}`;
  const rest = { number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null, events: [] };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest }, null));
  await workers().heartbeat(worker, 60_000);
  const claim = await new PgProjectStore(pool, null).claim(projectId, worker);
  if (claim.kind !== 'claimed') throw new Error(`expected a lease, was ${claim.kind}`);
  const registry = new PgProcessRegistry(pool);
  const named = { host: 'here', pid: (pid += 1), startTime: 'boot:1', group: pid };
  const record = { ...named, projectId, purpose: 'a test', workerId: worker };
  expect(await registry.register(record, claim.project.lease)).toBe(true);
  const isAbandoned = async (): Promise<boolean | undefined> =>
    (await registry.onHost('here')).find((known) => known.pid === record.pid)?.isAbandoned;
  return { worker, projectId, isAbandoned };
}

describe('a registered process', () => {
  it('is not abandoned while its worker holds the project, nor when that worker is only late', async () => {
    const { worker, isAbandoned } = await working();
    expect(await isAbandoned()).toBe(false);
    await pool.query(`UPDATE worker SET alive_until = now() - interval '1 hour' WHERE id = $1`, [worker]);
    expect(await isAbandoned()).toBe(false);
  });

  it('is abandoned when its worker has retired or was buried', async () => {
    const retired = await working();
    await workers().retire(retired.worker);
    expect(await retired.isAbandoned()).toBe(true);
    const buried = await working();
    await workers().buryDead(() => false);
    expect(await buried.isAbandoned()).toBe(true);
  });

  it('is abandoned when somebody else has taken the project over, or it was given back', async () => {
    const { worker, projectId, isAbandoned } = await working();
    await pool.query(`UPDATE worker SET alive_until = now() - interval '1 hour' WHERE id = $1`, [worker]);
    await workers().heartbeat('successor', 60_000);
    expect(await new PgProjectStore(pool, null).claim(projectId, 'successor')).toMatchObject({ kind: 'claimed' });
    await workers().heartbeat(worker, 60_000);
    expect(await isAbandoned()).toBe(true);
    const givenBack = await working();
    await pool.query('UPDATE project SET lease_worker = NULL WHERE id = $1', [givenBack.projectId]);
    expect(await givenBack.isAbandoned()).toBe(true);
  });
});

describe('the registry as people read it', () => {
  it('lists what is registered, of one project or of all, with the time it was', async () => {
    const [one, other] = [await working(), await working()];
    const registry = new PgProcessRegistry(pool);
    const [listed, ...more] = await registry.list(one.projectId);
    expect(more).toEqual([]);
    expect(listed).toMatchObject({ projectId: one.projectId, workerId: one.worker, purpose: 'a test', host: 'here' });
    expect(Math.abs(Date.now() - (listed?.startedAt.getTime() ?? 0))).toBeLessThan(60_000);
    const all = (await registry.list()).map(({ projectId }) => projectId);
    expect(all).toEqual(expect.arrayContaining([one.projectId, other.projectId]));
    expect(all.indexOf(one.projectId)).toBeLessThan(all.indexOf(other.projectId));
  });
});
