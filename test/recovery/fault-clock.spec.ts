import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { type Field, openField } from '../harness/field.js';

const HOUR = 3_600_000;
const JUMPS = [HOUR, -HOUR, 24 * HOUR, -24 * HOUR];
const preload = fileURLToPath(new URL('../../dist/test/harness/clock-jump.js', import.meta.url));

describe('clocks of workers that jump by an hour and by a day, ahead and back, while they work', () => {
  let field: Field;
  beforeAll(async () => {
    field = await openField({ env: { QRALPH_WORKER: 'off', QRALPH_LEASE_MS: '5000' } });
  });
  afterAll(() => field.close());

  it('leave leases and timers alone, which go by the database, and every project ends', async () => {
    const { api } = await field.orchestrator();
    const workers = await Promise.all(
      JUMPS.map((byMs) =>
        field.process({ role: 'worker' }, { NODE_OPTIONS: `--import=${preload}`, JUMP_BY_MS: String(byMs) }),
      ),
    );
    const drill = { parameters: { rounds: 3, width: 3, workMs: 600, coolMs: 1_500 }, gates: { approval: false } };
    const projects = await Promise.all(Array.from({ length: 8 }, () => api.startDrill(drill)));
    const holders = async (): Promise<number> =>
      (await field.pool.query('SELECT DISTINCT lease_worker FROM project WHERE lease_worker IS NOT NULL')).rowCount ??
      0;
    await eventually('every worker holds something', async () => (await holders()) === JUMPS.length);
    for (const { child } of workers) child.kill('SIGUSR2');
    for (const { id } of projects) {
      await api.untilStatus(id, 'completed', 40_000);
      const [cooling, announcing] = (await api.events(id)).filter(
        ({ type, data }) => type === 'state.entered' && ['COOLING', 'ANNOUNCING'].includes(data['to'] as string),
      );
      const cooledMs = Date.parse(announcing?.at ?? '') - Date.parse(cooling?.at ?? '');
      expect(cooledMs).toBeGreaterThanOrEqual(1_500);
      expect(cooledMs).toBeLessThan(15_000);
    }
    expect(workers.map(({ child }) => child.exitCode)).toEqual(JUMPS.map(() => null));
    const { rows } = await field.pool.query(`SELECT data FROM event WHERE type = 'project.taken-over'`);
    expect(rows).toEqual([]);
    expect(await field.broken()).toEqual([]);
  });
});
