import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasRedis } from '#testing';
import type { Fire } from '../harness/under-fire.main.js';
import { settledInvariants } from './support/kill-case.js';
import { inLab } from './support/in-lab.js';
import type { Lab } from './support/lab.js';
import { Person } from './support/person.js';
import { smallest } from './support/smallest.js';

const TIMES = 10;
const DEATH_WITHIN_MS = 15_000;
type Fuse = NonNullable<Fire['killAt']> & { readonly state: string };

/** Before a step's work, after it, and while the project is being taken over. */
const FUSES: readonly Fuse[] = [
  { machine: 'drill', state: 'RECORDING', moment: 'effect-started', step: 'commit' },
  { machine: 'drill', state: 'CHECKING', moment: 'effect-ran', step: 'count' },
  { machine: 'drill', state: 'PREPARING', moment: 'claimed' },
];

async function killedTenTimes(lab: Lab, killAt: Fuse): Promise<void> {
  const id = await lab.begin(smallest('drill'));
  for (let nth = 1; nth <= TIMES; nth += 1) {
    // The fuse may blow before the process could say that it is ready.
    const how = await lab.process({ role: 'worker', killAt }).then(
      (victim) => Promise.race([victim.ended, delay(DEATH_WITHIN_MS, 'it lives', { ref: false })]),
      (error: Error) => (error.message.startsWith('ended (SIGKILL)') ? 'SIGKILL' : error.message),
    );
    expect(how, `death ${String(nth)}`).toBe('SIGKILL');
    const { rows } = await lab.pool.query<{ status: string; state: string }>(
      'SELECT status, state FROM project WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'running', state: killAt.state }]);
  }
  await lab.process({ role: 'worker' });
  const person = new Person(lab);
  await person.attend('the end of a project after ten deaths', 30_000, () => person.hasEnded());
  const { rows } = await lab.pool.query<{ status: string }>('SELECT DISTINCT status FROM project');
  expect(rows).toEqual([{ status: 'completed' }]);
  const { rows: takeOvers } = await lab.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM event WHERE project_id = $1 AND type = 'project.taken-over'`,
    [id],
  );
  // The first holder takes it from nobody; one killed in the claim itself may not have come to writing it down.
  expect(takeOvers[0]?.n).toBeGreaterThanOrEqual(killAt.moment === 'claimed' ? 1 : TIMES);
  expect(await settledInvariants(lab)).toEqual([]);
}

describe('a step that kills its worker ten times in a row', () => {
  // One is enough to see what another queue makes of it.
  const inRedis = hasRedis() ? FUSES.slice(0, 1).map((fuse) => ({ kind: 'Redis' as const, fuse })) : [];
  const cases = [...FUSES.map((fuse) => ({ kind: 'Postgres' as const, fuse })), ...inRedis];

  it.each(cases.map((one) => ({ ...one, at: `${one.fuse.state}, ${one.fuse.moment}` })))(
    'is never given up, with the queue in $kind: $at',
    ({ kind, fuse }) => inLab(kind, (lab) => killedTenTimes(lab, fuse)),
  );
});
