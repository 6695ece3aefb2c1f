import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import type { Api } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';

const DRILL = { parameters: { rounds: 1, width: 2, workMs: 1_000, coolMs: 50 }, gates: { approval: false } };

/** The series of a metric, by their labels as they are written. */
async function read(api: Api, metric: string): Promise<Map<string, number>> {
  const lines = (await api.text('/metrics')).split('\n').filter((line) => /^\w+/.exec(line)?.[0] === metric);
  return new Map(
    lines.map((line) => {
      const [series = '', value = ''] = line.split(/ (?=\S+$)/);
      return [series.slice(metric.length), Number(value)];
    }),
  );
}

const sum = (series: ReadonlyMap<string, number>, label = ''): number =>
  [...series].reduce((total, [labels, value]) => (labels.includes(label) ? total + value : total), 0);

describe('the metrics of a service that drives a drill', () => {
  let field: Field;
  let api: Api;
  beforeAll(async () => {
    field = await openField();
    ({ api } = await field.orchestrator());
  });
  afterAll(() => field.close());

  const leases = async (): Promise<number> => sum(await read(api, 'qralph_leases_held'));

  it('hold a lease while it runs and none afterwards, and have counted each commit, effect and queue hop', async () => {
    expect(await leases()).toBe(0);
    expect(sum(await read(api, 'qralph_transitions_total'))).toBe(0);
    const { id } = await api.startDrill(DRILL);
    await eventually('a task of the drill is driven', async () => (await leases()) > 0, { everyMs: 5 });
    expect((await api.project(id)).status).toBe('running');
    const { checkpoint } = await api.untilStatus(id, 'completed');
    await eventually('every lease is handed back', async () => (await leases()) === 0);

    const transitions = await read(api, 'qralph_transitions_total');
    // Its first checkpoint was made by whoever created it.
    expect(sum(transitions, '{machine="drill",')).toBe(checkpoint.seq - 1);
    expect(transitions.get('{machine="drill",state="CHECKING"}')).toBe(1);
    expect(transitions.get('{machine="drill-task",state="WORKING"}')).toBe(2);

    const tasks = await field.pool.query<{ id: string }>('SELECT id FROM project WHERE parent_id = $1', [id]);
    const events = await Promise.all([id, ...tasks.rows.map((task) => task.id)].map((one) => api.events(one)));
    const finished = events.flat().filter(({ type }) => type === 'effect.finished');
    expect(sum(await read(api, 'qralph_effects_total'), '{outcome="done"}')).toBe(finished.length);

    const hops = await eventually('the drill and its tasks came through the queue', async () => {
      const count = sum(await read(api, 'qralph_queue_lag_seconds_count'));
      return count >= 3 ? count : null;
    });
    expect(sum(await read(api, 'qralph_queue_lag_seconds_sum')) / hops).toBeLessThan(10);
    expect(sum(await read(api, 'qralph_leases_lost_total'))).toBe(0);
    expect(sum(await read(api, 'qralph_projects'), 'machine="drill",state="FINISHED",status="completed"')).toBe(1);
  });

  it('count a project that the worker lost while it wrote to it', async () => {
    const { id } = await api.startDrill({ ...DRILL, parameters: { ...DRILL.parameters, rounds: 20, workMs: 0 } });
    const steal = 'UPDATE project SET lease_epoch = lease_epoch + 1 WHERE lease_worker IS NOT NULL';
    // A theft that the worker notices before it writes again is no lost write: so until one is.
    await eventually('a loss is counted', async () => {
      await field.pool.query(steal);
      return sum(await read(api, 'qralph_leases_lost_total')) > 0;
    });
    await api.untilStatus(id, 'completed');
  });
});
