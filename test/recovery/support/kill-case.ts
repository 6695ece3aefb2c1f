import { brokenInvariants } from '../../harness/invariants.js';
import type { KillCase } from './cases.js';
import type { Lab } from './lab.js';
import { Person } from './person.js';
import { smallest } from './smallest.js';
import type { StandbyLab } from './standby.js';

export interface Survival {
  readonly killedBy: string;
  readonly statuses: readonly string[];
  readonly wentThrough: boolean;
  readonly broken: readonly string[];
  /** From the kill to the next version that another worker committed; null when nothing was left to commit. */
  readonly recoveryMs: number | null;
  readonly tookMs: number;
}

const KILL_WITHIN_MS = 90_000;
const END_WITHIN_MS = 90_000;
const REST_WITHIN_MS = 10_000;

/** One worker dies at the given point; another one, which was held still until then, finishes the project. */
export async function survive(
  standby: StandbyLab,
  { mode, machine, state, moment, step, metOnWayTo }: KillCase,
): Promise<Survival> {
  const startedAt = performance.now();
  const { lab } = standby;
  const killAt = { machine, state, moment, ...(step !== undefined && { step }) };
  const victim = await lab.process({ role: 'worker', killAt });
  let end: { how: string; at: number } | null = null;
  void victim.ended.then((how) => (end = { how, at: Date.now() }));
  const id = await lab.begin(smallest(mode, metOnWayTo ?? state));
  const person = new Person(lab, { machine, state });
  await person.attend('the kill', KILL_WITHIN_MS, () => end !== null, { isPatient: true });
  const { how, at } = end ?? { how: 'it lives', at: Date.now() };
  standby.letGo();
  await person.attend('the end of the project', END_WITHIN_MS, () => person.hasEnded());
  const family = await familyOf(lab, id);
  return {
    killedBy: how,
    statuses: await statuses(lab, family),
    wentThrough: await wentThrough(lab, family, machine, state),
    broken: await settledInvariants(lab, family),
    recoveryMs: await recoveryMs(lab, family, at),
    tookMs: performance.now() - startedAt,
  };
}

/** What holds once everything has come to rest: the sweep of left processes has its own pace. */
export async function settledInvariants(
  { pool, dataDir }: Pick<Lab, 'pool' | 'dataDir'>,
  only: readonly string[] | null = null,
): Promise<string[]> {
  const deadline = performance.now() + REST_WITHIN_MS;
  for (;;) {
    const broken = await brokenInvariants(pool, dataDir, only);
    if (broken.length === 0 || performance.now() > deadline) return broken;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A project and whatever it has split off, at any depth. */
async function familyOf({ pool }: Lab, id: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH RECURSIVE family AS (SELECT id FROM project WHERE id = $1
       UNION SELECT p.id FROM project p JOIN family f ON p.parent_id = f.id) SELECT id FROM family`,
    [id],
  );
  return rows.map((row) => row.id);
}

async function statuses({ pool }: Lab, family: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ status: string }>('SELECT DISTINCT status FROM project WHERE id = ANY($1)', [
    family,
  ]);
  return rows.map((row) => row.status);
}

async function wentThrough({ pool }: Lab, family: readonly string[], machine: string, state: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM project p WHERE p.id = ANY($3) AND p.machine = $1 AND (p.state = $2 OR EXISTS (SELECT 1 FROM event e
     WHERE e.project_id = p.id AND e.type = 'state.entered' AND e.data::json->>'from' = $2)) LIMIT 1`,
    [machine, state, family],
  );
  return rowCount === 1;
}

async function recoveryMs({ pool }: Lab, family: readonly string[], killedAt: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT min(created_at) AS at FROM checkpoint WHERE project_id = ANY($1) AND created_at > $2',
    [family, new Date(killedAt)],
  );
  const at = rows[0]?.at;
  return at ? at.getTime() - killedAt : null;
}
