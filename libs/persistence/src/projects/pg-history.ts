import type pg from 'pg';
import type { LiveProject, ProjectCosts, UnheardNote, Unsettled } from '#contracts';
import type { JsonObject } from '#kernel';
import { usdOf } from '#models';
import { PgCosts } from '../ledger/pg-costs.js';
import { unheardNotes } from '../notes/unheard-notes.js';
import { inWorldlyTerms } from './pg-errors.js';
import { liveProjectsIn, unsettledOf } from './unsettled.js';

/** More than this no page shows. */
const MOST_EVENTS = 10_000;

/** What happened in a project and what it cost, as its activities read it. */
export class PgHistory {
  private readonly costs: PgCosts;

  constructor(private readonly pool: pg.Pool) {
    this.costs = new PgCosts(pool);
  }

  async told(
    projectId: string,
    types: readonly string[],
    most = MOST_EVENTS,
  ): Promise<{ at: Date; type: string; data: JsonObject }[]> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ at: Date; type: string; data: string }>(
        'SELECT at, type, data FROM event WHERE project_id = $1 AND type = ANY($2) ORDER BY seq DESC LIMIT $3',
        [projectId, types, Math.min(most, MOST_EVENTS)],
      ),
    );
    return rows.reverse().map((row) => ({ ...row, data: JSON.parse(row.data) as JsonObject }));
  }

  async spentIn(
    projectId: string,
    { incarnation, visit }: { readonly incarnation: number; readonly visit: number },
  ): Promise<{ readonly costUsd: string | null; readonly model: string | null }> {
    const prefix = `${String(incarnation)}/${String(visit)}/`;
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ cost: string | null; model: string | null }>(
        `SELECT sum(cost_nano)::text AS cost, (array_agg(coalesce(answered_by, model) ORDER BY id DESC))[1] AS model
         FROM model_call WHERE project_id = $1 AND starts_with(effect_key, $2)`,
        [projectId, prefix],
      ),
    );
    const { cost = null, model = null } = rows[0] ?? {};
    return { costUsd: cost === null ? null : usdOf(BigInt(cost)), model };
  }

  spent(projectId: string): Promise<Pick<ProjectCosts, 'total' | 'byAgent' | 'byModel'>> {
    return this.costs.sumsOf(projectId);
  }

  unheard(projectId: string): Promise<readonly UnheardNote[]> {
    return inWorldlyTerms(() => unheardNotes(this.pool, projectId));
  }

  unsettled(projectId: string): Promise<Unsettled> {
    return inWorldlyTerms(() => unsettledOf(this.pool, projectId));
  }

  liveIn(repo: string): Promise<readonly LiveProject[]> {
    return inWorldlyTerms(() => liveProjectsIn(this.pool, repo));
  }
}
