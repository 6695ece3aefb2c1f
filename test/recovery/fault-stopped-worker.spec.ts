import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { type Field, openField } from '../harness/field.js';

describe('a worker that is stopped past its lease and then continued', () => {
  let field: Field;
  beforeAll(async () => {
    field = await openField({ env: { QRALPH_WORKER: 'off', QRALPH_LEASE_MS: '1000' } });
  });
  afterAll(() => field.close());

  it('finds its projects taken over, changes nothing, and is on record for trying', async () => {
    const { api } = await field.orchestrator();
    const stopped = await field.process({ role: 'worker' });
    const drill = { parameters: { rounds: 2, width: 3, workMs: 1_000, coolMs: 50 }, gates: { approval: false } };
    const projects = await Promise.all([1, 2].map(() => api.startDrill(drill)));
    const effects = async (): Promise<number> =>
      (await field.pool.query(`SELECT 1 FROM effect WHERE status = 'started'`)).rowCount ?? 0;
    await eventually('tasks are under way', async () => (await effects()) >= 4);
    stopped.child.kill('SIGSTOP');
    await field.process({ role: 'worker' });
    for (const { id } of projects) {
      await eventually('somebody else takes over', async () => {
        const sql = `SELECT 1 FROM event e JOIN project p ON p.id = e.project_id
          WHERE (p.id = $1 OR p.parent_id = $1) AND type = 'project.taken-over'`;
        return (await field.pool.query(sql, [id])).rowCount !== 0;
      });
    }
    stopped.child.kill('SIGCONT');
    for (const { id } of projects) await api.untilStatus(id, 'completed', 40_000);
    await eventually('its late writes are on record', async () => {
      const { rows } = await field.pool.query<{ worker: string }>('SELECT DISTINCT worker FROM stale_write');
      return rows.some(({ worker }) => worker.includes(`-${String(stopped.pid)}-`));
    });
    expect(await field.broken()).toEqual([]);
  });
});
