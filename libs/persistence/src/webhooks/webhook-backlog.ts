import type pg from 'pg';
import { inWorldlyTerms } from '../projects/pg-errors.js';

export interface PendingDeliveries {
  readonly due: 'now' | 'later';
  readonly count: number;
  readonly oldestSeconds: number;
}

export interface EndedDeliveries {
  readonly outcome: string;
  readonly count: number;
}

/** What an endpoint that is no more was told is still there until it is swept, and counts for nobody. */
const PENDING = `
SELECT CASE WHEN d.due_at <= now() AND (e.rests_until IS NULL OR e.rests_until <= now() OR d.due_at = '-infinity')
    THEN 'now' ELSE 'later' END AS due,
  count(*)::int AS count, EXTRACT(EPOCH FROM now() - min(d.created_at))::float8 AS "oldestSeconds"
FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
WHERE d.outcome = 'pending' GROUP BY 1`;

const ENDED = `
SELECT outcome, count(*)::int AS count FROM webhook_delivery
WHERE finished_at > now() - interval '1 hour' GROUP BY outcome`;

/** How much is to be sent and how old it is, and what became lately of what was. */
export function webhookBacklog(
  pool: pg.Pool,
): Promise<{ readonly pending: readonly PendingDeliveries[]; readonly ended: readonly EndedDeliveries[] }> {
  return inWorldlyTerms(async () => {
    const [pending, ended] = await Promise.all([
      pool.query<PendingDeliveries>(PENDING),
      pool.query<EndedDeliveries>(ENDED),
    ]);
    return { pending: pending.rows, ended: ended.rows };
  });
}
