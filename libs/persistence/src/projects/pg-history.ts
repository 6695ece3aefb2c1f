import type pg from 'pg';
import type { ProjectCosts } from '#contracts';
import type { JsonObject } from '#kernel';
import { PgCosts } from '../ledger/pg-costs.js';
import { inWorldlyTerms } from './pg-errors.js';

/** More than this no page shows. */
const MOST_EVENTS = 10_000;

/** What happened in a project and what it cost, as its activities read it. */
export class PgHistory {
  private readonly costs: PgCosts;

  constructor(private readonly pool: pg.Pool) {
    this.costs = new PgCosts(pool);
  }

  async told(projectId: string, types: readonly string[]): Promise<{ at: Date; type: string; data: JsonObject }[]> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ at: Date; type: string; data: string }>(
        'SELECT at, type, data FROM event WHERE project_id = $1 AND type = ANY($2) ORDER BY seq DESC LIMIT $3',
        [projectId, types, MOST_EVENTS],
      ),
    );
    return rows.reverse().map((row) => ({ ...row, data: JSON.parse(row.data) as JsonObject }));
  }

  async spent(projectId: string): Promise<Pick<ProjectCosts, 'total' | 'byAgent' | 'byModel'>> {
    const { total, byAgent, byModel } = await this.costs.ofProject(projectId, { limit: 1 });
    return { total, byAgent, byModel };
  }
}
