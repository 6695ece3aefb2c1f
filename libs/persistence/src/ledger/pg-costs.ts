import type pg from 'pg';
import {
  type CostGroup,
  type CostQuery,
  decodeNumberCursor,
  decodeTimeCursor,
  encodeNumberCursor,
  encodeTimeCursor,
  type GroupBy,
  type ModelCall,
  type Page,
  type PageQuery,
  type ProjectCosts,
} from '#contracts';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { rootOf } from './budget-rows.js';
import { callView, type CallRow, groupView, type SumsRow, sumsView } from './cost-views.js';

const FAMILY = `WITH RECURSIVE family AS (
  SELECT id FROM project WHERE id = $1 UNION SELECT p.id FROM family f JOIN project p ON p.parent_id = f.id
)`;
const CALLS_OF_FAMILY = 'FROM model_call c JOIN family f ON f.id = c.project_id AND c.root_id = $2';
/** Null where calls were billed and nobody knows what any of them cost: 0 is what a failed or simulated one costs. */
const KNOWN_COST = `CASE WHEN bool_or(c.cost_nano IS NULL AND c.status <> 'open')
    AND NOT bool_or(c.cost_nano IS NOT NULL AND c.status <> 'failed' AND NOT c.simulated)
  THEN NULL ELSE COALESCE(sum(c.cost_nano), 0)::text END`;
const SUMS = `count(*)::int AS calls, count(*) FILTER (WHERE c.cost_nano IS NULL AND c.status <> 'open')::int AS "unknownCalls",
  count(*) FILTER (WHERE c.simulated)::int AS "simulatedCalls", COALESCE(sum(c.input), 0)::text AS input,
  COALESCE(sum(c.output), 0)::text AS output, COALESCE(sum(c.cache_read), 0)::text AS "cacheRead",
  COALESCE(sum(c.cache_write), 0)::text AS "cacheWrite", COALESCE(sum(c.reasoning), 0)::text AS reasoning,
  ${KNOWN_COST} AS cost, COALESCE(sum(COALESCE(c.counted_nano, c.reserved_nano)), 0)::text AS counted`;
const CALL = `c.id, c.project_id AS "projectId", c.state, c.agent, c.purpose, c.prompt, c.attempt, c.tier, c.provider, c.model,
  c.answered_by AS "answeredBy", c.status, c.simulated, c.input, c.output, c.cache_read AS "cacheRead",
  c.cache_write AS "cacheWrite", c.reasoning, c.reserved_nano AS reserved, c.cost_nano AS cost,
  c.counted_nano AS counted, c.estimate_error_nano AS "estimateError", c.price_version AS "priceVersion",
  c.duration_ms AS "durationMs", c.trace_id AS "traceId", c.error_code AS "errorCode", c.at`;
const MOST_GROUPS = 200;
const DEAREST_FIRST = `ORDER BY sum(COALESCE(c.counted_nano, c.reserved_nano)) DESC, key`;

/** What a group goes by. The name of a project tells people more than its id. */
const KEYS: Readonly<Record<GroupBy, { readonly key: string; readonly join?: string }>> = {
  project: { key: 'COALESCE(p.name, c.root_id::text)', join: 'LEFT JOIN project p ON p.id = c.root_id' },
  agent: { key: 'c.agent' },
  model: { key: `c.provider || ':' || c.model` },
  state: { key: 'c.state' },
  day: { key: `to_char(c.at AT TIME ZONE 'UTC', 'YYYY-MM-DD')` },
};

/** A project, and the one at its root, by which calls are found. */
type Family = readonly [projectId: string, rootId: string];

/** The ledger as people read it. */
export class PgCosts {
  constructor(private readonly pool: pg.Pool) {}

  async ofProject(projectId: string, query: PageQuery): Promise<ProjectCosts> {
    const root = (await inWorldlyTerms(() => rootOf(this.pool, projectId))) ?? projectId;
    const family: Family = [projectId, root];
    const [total, byAgent, byModel, byState, page] = await Promise.all([
      this.rows<SumsRow>(`${FAMILY} SELECT ${SUMS} ${CALLS_OF_FAMILY}`, [...family]),
      this.familyBy('agent', family),
      this.familyBy('model', family),
      this.familyBy('state', family),
      this.calls(family, query),
    ]);
    return { projectId, total: sumsView(total[0]), byAgent, byModel, byState, ...page };
  }

  /** Its sums alone, for pages that are written at every step: all of them in one look at its calls. */
  async sumsOf(projectId: string): Promise<Pick<ProjectCosts, 'total' | 'byAgent' | 'byModel'>> {
    const root = (await inWorldlyTerms(() => rootOf(this.pool, projectId))) ?? projectId;
    const rows = await this.rows<SumsRow & { key: string; level: 'total' | 'agent' | 'model' }>(
      `${FAMILY} SELECT ${SUMS}, COALESCE(c.agent, c.model_name) AS key,
         CASE grouping(c.agent, c.model_name) WHEN 3 THEN 'total' WHEN 1 THEN 'agent' ELSE 'model' END AS level
       FROM (SELECT c.*, ${KEYS.model.key} AS model_name ${CALLS_OF_FAMILY}) c
       GROUP BY GROUPING SETS ((), (c.agent), (c.model_name)) ${DEAREST_FIRST}`,
      [projectId, root],
    );
    const of = (level: 'agent' | 'model'): CostGroup[] =>
      rows.filter((row) => row.level === level).slice(0, MOST_GROUPS).map(groupView); // prettier-ignore
    return {
      total: sumsView(rows.find(({ level }) => level === 'total')),
      byAgent: of('agent'),
      byModel: of('model'),
    };
  }

  async groups({ groupBy, limit, cursor }: CostQuery): Promise<Page<CostGroup>> {
    const from = cursor === undefined ? 0 : decodeNumberCursor(cursor);
    const { key, join = '' } = KEYS[groupBy];
    const rows = await this.rows<SumsRow & { key: string }>(
      `SELECT ${key} AS key, ${SUMS} FROM model_call c ${join} GROUP BY key ${DEAREST_FIRST} OFFSET $1 LIMIT $2`,
      [from, limit + 1],
    );
    const hasMore = rows.length > limit;
    return {
      data: rows.slice(0, limit).map(groupView),
      nextCursor: hasMore ? encodeNumberCursor(from + limit) : null,
    };
  }

  /** Newest first: ids are made in the order of time. */
  private async calls(
    family: Family,
    { limit, cursor }: PageQuery,
  ): Promise<{ data: ModelCall[]; nextCursor: string | null }> {
    const before = cursor === undefined ? null : decodeTimeCursor(cursor).id;
    const rows = await this.rows<CallRow>(
      `${FAMILY} SELECT ${CALL} ${CALLS_OF_FAMILY}
       WHERE $3::uuid IS NULL OR c.id < $3 ORDER BY c.id DESC LIMIT $4`,
      [...family, before, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { data: shown.map(callView), nextCursor: last ? encodeTimeCursor(last.at, last.id) : null };
  }

  private async familyBy(group: GroupBy, family: Family): Promise<CostGroup[]> {
    const { key } = KEYS[group];
    const rows = await this.rows<SumsRow & { key: string }>(
      `${FAMILY} SELECT ${key} AS key, ${SUMS} ${CALLS_OF_FAMILY}
       GROUP BY key ${DEAREST_FIRST} LIMIT ${String(MOST_GROUPS)}`,
      [...family],
    );
    return rows.map(groupView);
  }

  private rows<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    return inWorldlyTerms(async () => (await this.pool.query<T>(sql, values)).rows);
  }
}
