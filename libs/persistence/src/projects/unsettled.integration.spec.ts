import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { useDatabase } from './database.fixture.js';
import { unsettledOf } from './unsettled.js';

const database = useDatabase('unsettled');
let id: string;

const query = (sql: string, ...values: unknown[]): Promise<unknown> => database.pool.query(sql, values);
const worker = (name: string, aliveMs: number): Promise<unknown> =>
  query(
    `INSERT INTO worker (id, host, pid, pid_started_at, alive_until)
     VALUES ($1, 'here', 1, '1', now() + $2 * interval '1 millisecond') ON CONFLICT DO NOTHING`,
    ...[name, aliveMs],
  );
const started = (pid: number, by: string): Promise<unknown> =>
  query(
    `INSERT INTO process (host, pid, start_time, process_group, project_id, purpose, worker_id)
     VALUES ('here', $1, $4, $1, $3, 'verify', $2)`,
    ...[pid, by, id, newId()],
  );
const called = (status: string, by: string): Promise<unknown> =>
  query(
    `INSERT INTO model_call (id, root_id, project_id, state, agent, purpose, attempt, provider, model, status, simulated,
       effect_key, run, worker_id, epoch, reserved_nano, reserved_tokens)
     VALUES ($1, $2, $2, 'WORKING', 'x', 'x', 1, 'p', 'm', $3, false, $5, 1, $4, 1, 0, 0)`,
    ...[newId(), id, status, by, newId()],
  );

beforeEach(async () => {
  id = await database.sample();
  await worker('alive', 600_000);
  await worker('gone', -1);
});

describe('what a worker that is gone had begun', () => {
  it('are its processes; those of the worker that holds the project are no riddle', async () => {
    await started(1, 'gone');
    await started(2, 'alive');
    const purpose = { host: 'here', purpose: 'verify' };
    expect((await unsettledOf(database.pool, id)).processes).toEqual([{ ...purpose, pid: 1 }, { ...purpose, pid: 2 }]); // prettier-ignore
    await query(`UPDATE project SET lease_worker = 'alive' WHERE id = $1`, id);
    expect(await unsettledOf(database.pool, id)).toMatchObject({ isDriven: true, processes: [{ pid: 1 }] });
  });

  it('are calls that were lost, and calls of its own that are still open', async () => {
    for (const [status, by] of [['lost', 'gone'], ['lost', 'alive'], ['open', 'gone'], ['open', 'alive'], ['done', 'gone']]) await called(status ?? '', by ?? ''); // prettier-ignore
    expect(await unsettledOf(database.pool, id)).toMatchObject({ isDriven: false, lostCalls: 2, openCalls: 1 });
  });

  it('is nothing of another project’s', async () => {
    await started(3, 'gone');
    await called('lost', 'gone');
    const other = await database.sample();
    expect(await unsettledOf(database.pool, other)).toEqual({
      ...{ isDriven: false, effects: [], lostCalls: 0, openCalls: 0, processes: [] },
    });
  });
});
