import type { Moment } from '#engine';
import { brokenInvariants } from '../../harness/invariants.js';
import { type Lab, openLab } from './lab.js';
import { Person } from './person.js';
import type { Place } from './rehearsal.js';
import { smallest } from './smallest.js';

export interface KillCase extends Place {
  readonly moment: Moment;
  readonly step?: string;
}

export interface Survival {
  readonly killedBy: string;
  readonly statuses: readonly string[];
  readonly wentThrough: boolean;
  readonly broken: readonly string[];
  /** From the kill to the next version that another worker committed; null when nothing was left to commit. */
  readonly recoveryMs: number | null;
  readonly tookMs: number;
}

const KILL_WITHIN_MS = 30_000;
const END_WITHIN_MS = 30_000;
const REST_WITHIN_MS = 10_000;

/** One worker dies at the given point; another one, which was running all the time, finishes the project. */
export async function survive({ mode, machine, state, moment, step }: KillCase): Promise<Survival> {
  const startedAt = performance.now();
  const lab = await openLab();
  try {
    const killAt = { machine, state, moment, ...(step !== undefined && { step }) };
    const [standby, victim] = await Promise.all([
      lab.process({ role: 'worker' }),
      lab.process({ role: 'worker', killAt }),
    ]);
    // Held still until the kill: otherwise it might take the project and live.
    standby.child.kill('SIGSTOP');
    await lab.begin(smallest(mode, state));
    const person = new Person(lab, { machine, state });
    let end: { how: string; at: number } | null = null;
    void victim.ended.then((how) => (end = { how, at: Date.now() }));
    await person.attend('the kill', KILL_WITHIN_MS, () => end !== null);
    const { how, at } = end ?? { how: 'it lives', at: Date.now() };
    standby.child.kill('SIGCONT');
    await person.attend('the end of the project', END_WITHIN_MS, () => person.hasEnded());
    return {
      killedBy: how,
      statuses: await statuses(lab),
      wentThrough: await wentThrough(lab, machine, state),
      broken: await settledInvariants(lab),
      recoveryMs: await recoveryMs(lab, at),
      tookMs: performance.now() - startedAt,
    };
  } finally {
    await lab.close();
  }
}

/** What holds once everything has come to rest: the sweep of left processes has its own pace. */
export async function settledInvariants({ pool, dataDir }: Pick<Lab, 'pool' | 'dataDir'>): Promise<string[]> {
  const deadline = performance.now() + REST_WITHIN_MS;
  for (;;) {
    const broken = await brokenInvariants(pool, dataDir);
    if (broken.length === 0 || performance.now() > deadline) return broken;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function statuses({ pool }: Lab): Promise<string[]> {
  const { rows } = await pool.query<{ status: string }>('SELECT DISTINCT status FROM project');
  return rows.map((row) => row.status);
}

async function wentThrough({ pool }: Lab, machine: string, state: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM project p WHERE p.machine = $1 AND (p.state = $2 OR EXISTS (SELECT 1 FROM event e
     WHERE e.project_id = p.id AND e.type = 'state.entered' AND e.data::json->>'from' = $2)) LIMIT 1`,
    [machine, state],
  );
  return rowCount === 1;
}

async function recoveryMs({ pool }: Lab, killedAt: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT min(created_at) AS at FROM checkpoint WHERE created_at > $1',
    [new Date(killedAt)],
  );
  const at = rows[0]?.at;
  return at ? at.getTime() - killedAt : null;
}
