import type pg from 'pg';
import { idFromName } from '#kernel';
import { type BudgetCaps, nanoOf, usdOf } from '#models';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { changeCaps } from './change-caps.js';

export interface ApprovedCap {
  readonly projectId: string;
  readonly usd: string;
  /** Stable over crashes: a repeated one changes nothing. */
  readonly operation: string;
  readonly because: string;
}

/** Caps as activities see them: what is used of one, and the one that a person has approved with a plan. */
export class PgProjectBudgets {
  constructor(
    private readonly pool: pg.Pool,
    private readonly defaults: BudgetCaps,
  ) {}

  /** In USD, with what calls under way may yet take. */
  async used(projectId: string): Promise<string> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ nano: string }>(
        'SELECT (used_nano + reserved_nano)::text AS nano FROM budget WHERE root_id = $1',
        [projectId],
      ),
    );
    return usdOf(BigInt(rows[0]?.nano ?? 0));
  }

  /** Of the cap in money or in tokens, whichever is used more; 0 if there is no cap. */
  async usedShare(projectId: string): Promise<number> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ share: number | null }>(
        `SELECT greatest(used_nano::float8 / nullif(cap_nano, 0), used_tokens::float8 / nullif(cap_tokens, 0)) AS share
         FROM budget WHERE root_id = $1`,
        [projectId],
      ),
    );
    return rows[0]?.share ?? 0;
  }

  /**
   * The tokens' cap stays as it is. Nobody waits for this raise: whoever approved leads the project on. What somebody
   * asked for after the approval stays too. Answers with the cap that holds then.
   */
  async approve({ projectId, usd, operation, because }: ApprovedCap): Promise<string | null> {
    const change = {
      projectId,
      operation: idFromName(operation),
      by: 'human',
      keyId: null,
      nanoUsd: nanoOf(usd),
      because,
      approvedAt: 'plan',
    } as const;
    return inWorldlyTerms(async () => {
      await changeCaps(this.pool, { ...change, listeners: [], defaults: this.defaults });
      const sql = 'SELECT cap_nano::text AS nano FROM budget WHERE root_id = $1';
      const { rows } = await this.pool.query<{ nano: string | null }>(sql, [projectId]);
      return rows[0]?.nano == null ? null : usdOf(BigInt(rows[0].nano));
    });
  }
}
