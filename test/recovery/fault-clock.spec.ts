import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Field, openField } from '../harness/field.js';

const HOUR = 3_600_000;
const preload = fileURLToPath(new URL('../../dist/test/harness/clock-jump.js', import.meta.url));

describe('the clock of a worker jumps while it works', () => {
  let field: Field;
  afterEach(() => field.close());

  it.each([
    { name: 'an hour ahead', byMs: HOUR },
    { name: 'an hour back', byMs: -HOUR },
    { name: 'a day ahead', byMs: 24 * HOUR },
    { name: 'a day back', byMs: -24 * HOUR },
  ])('$name: leases and timers go by the database, and every project ends', async ({ byMs }) => {
    field = await openField({ env: { QRALPH_WORKER: 'off' } });
    const { api } = await field.orchestrator();
    const jumping = { NODE_OPTIONS: `--import=${preload}`, JUMP_BY_MS: String(byMs), JUMP_AFTER_MS: '2500' };
    await field.process({ role: 'worker' }, jumping);
    const steady = await field.process({ role: 'worker' });
    const drill = { parameters: { rounds: 4, width: 2, workMs: 400, coolMs: 1_000 }, gates: { approval: false } };
    const projects = await Promise.all([1, 2, 3].map(() => api.startDrill(drill)));
    for (const { id } of projects) {
      await api.untilStatus(id, 'completed', 40_000);
      const [cooling, announcing] = (await api.events(id)).filter(
        ({ type, data }) => type === 'state.entered' && ['COOLING', 'ANNOUNCING'].includes(String(data['to'])),
      );
      const cooledMs = Date.parse(announcing?.at ?? '') - Date.parse(cooling?.at ?? '');
      expect(cooledMs).toBeGreaterThanOrEqual(1_000);
      expect(cooledMs).toBeLessThan(10_000);
    }
    expect(steady.child.exitCode).toBeNull();
    const { rowCount } = await field.pool.query(`SELECT 1 FROM event WHERE type = 'project.taken-over'`);
    expect(rowCount).toBe(0);
    expect(await field.broken()).toEqual([]);
  });
});
