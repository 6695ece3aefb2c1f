import type pg from 'pg';
import { familyUnderWay } from '../ledger/budget-rows.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { presentStep } from '../projects/present-step.js';

export interface RunningEffectRow {
  /** Name of the project, or of the child of it, whose effect it is. */
  readonly project: string;
  readonly effect: string;
  readonly attempt: number;
  readonly since: string;
}

interface EffectRow {
  readonly name: string;
  readonly key: string;
  readonly attempt: number;
  readonly started_at: Date;
  readonly body: Buffer;
}

/** What a project and its children are at now: effects of the present visit, begun under the present lease. */
export function runningEffects(pool: pg.Pool, projectId: string): Promise<readonly RunningEffectRow[]> {
  return inWorldlyTerms(async () => {
    const { rows } = await pool.query<EffectRow>(RUNNING, [await familyUnderWay(pool, projectId)]);
    return rows.flatMap(({ name, key, attempt, started_at: at, body }) => {
      const effect = presentStep(key, { body });
      return effect === null ? [] : [{ project: name, effect, attempt, since: at.toISOString() }];
    });
  });
}

const RUNNING = `
SELECT p.name, e.key, e.attempt, e.started_at, c.body FROM effect e
JOIN project p ON p.id = e.project_id JOIN checkpoint c ON c.project_id = p.id AND c.seq = p.version
WHERE e.project_id = ANY($1) AND e.status = 'started' AND p.lease_worker IS NOT NULL AND e.epoch = p.lease_epoch
ORDER BY e.started_at LIMIT 100`;
