import { brokenInvariants } from '../../harness/invariants.js';
import type { Kill, KillCase } from './cases.js';
import type { Lab } from './lab.js';
import { Person } from './person.js';
import { smallest } from './smallest.js';
import type { StandbyLab } from './standby.js';

export interface Survival {
  /** How each worker ended, in their order. */
  readonly killedBy: readonly string[];
  readonly statuses: readonly string[];
  readonly wentThrough: boolean;
  readonly broken: readonly string[];
  /** From the last kill to the next version that another worker committed; null when nothing was left to commit. */
  readonly recoveryMs: number | null;
  readonly tookMs: number;
}

const KILL_WITHIN_MS = 90_000;
const END_WITHIN_MS = 90_000;
const REST_WITHIN_MS = 10_000;

/** Workers die at the given points, one after the other; another one, held still until then, finishes the project. */
export async function survive(standby: StandbyLab, { wayTo, kills }: KillCase): Promise<Survival> {
  const startedAt = performance.now();
  const { lab } = standby;
  const person = new Person(lab, wayTo);
  const killedBy: string[] = [];
  let id: string | null = null;
  let killedAt = 0;
  for (const kill of kills) {
    const victim = await startVictim(lab, kill);
    id ??= await lab.begin(smallest(wayTo.mode, wayTo.state));
    let end: { how: string; at: number } | null = null;
    void victim.ended.then((how) => (end = { how, at: Date.now() }));
    await person.attend(`the kill at ${kill.step ?? kill.state}`, KILL_WITHIN_MS, () => end !== null, {
      isPatient: true,
    });
    const { how, at } = end ?? { how: 'it lives', at: Date.now() };
    killedBy.push(how);
    killedAt = at;
  }
  standby.letGo();
  await person.attend('the end of the project', END_WITHIN_MS, () => person.hasEnded());
  const family = await familyOf(lab, id ?? '');
  const reached = await Promise.all(kills.map(({ machine, state }) => wentThrough(lab, family, machine, state)));
  return {
    killedBy,
    statuses: await statuses(lab, family),
    wentThrough: reached.every(Boolean),
    broken: await settledInvariants(lab, family),
    recoveryMs: await recoveryMs(lab, family, killedAt),
    tookMs: performance.now() - startedAt,
  };
}

/** A worker that takes a project over may die before it can say that it is ready. */
const startVictim = (lab: Lab, killAt: Kill): Promise<{ readonly ended: Promise<string> }> =>
  lab.process({ role: 'worker', killAt }).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('ended (SIGKILL)')) throw error;
    return { ended: Promise.resolve('SIGKILL') };
  });

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
