import type pg from 'pg';
import { assertNever, type JsonObject } from '#kernel';
import type { Answer, ClaimedDelivery, ClaimTerms, DeliveryStore, Verdict } from '#webhooks';
import { appendEvents } from '../projects/event-group.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { inTransaction } from '../projects/pool.js';
import {
  CLAIM_DELIVERIES,
  DELIVERED,
  DISABLE,
  END_PENDING,
  FORGET_ENDPOINTS,
  FORGET_OLD,
  FORGET_ORPHANS,
  FORGET_SECRETS,
  GIVEN_UP,
  RETRIED,
} from './deliveries.sql.js';

interface ClaimRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly details: string;
  readonly attempts: number;
  readonly tries: number;
  readonly version: number | null;
  readonly event_seq: number | null;
  readonly project_state: string | null;
  readonly project_status: string | null;
  readonly url: string;
  readonly secret: string;
  readonly unwell: boolean;
  /** Newest first, separated by spaces, which no secret has. */
  readonly previous_secret: string | null;
  readonly project_id: string | null;
  readonly name: string | null;
  readonly mode: string | null;
  readonly traceparent: string | null;
}

/** However many there are, each statement ends within its time. */
const SWEPT_AT_ONCE = 5_000;

/** Messages to the outside on Postgres. Times are the database's: processes may disagree about theirs. */
export class PgDeliveries implements DeliveryStore {
  constructor(private readonly pool: pg.Pool) {}

  claim({ most, mostPerEndpoint, busy, leaseMs }: ClaimTerms): Promise<readonly ClaimedDelivery[]> {
    return inWorldlyTerms(async () => {
      const values = [most, mostPerEndpoint, [...busy.keys()], [...busy.values()], leaseMs];
      const { rows } = await this.pool.query<ClaimRow>(CLAIM_DELIVERIES, values);
      return rows.map(claimedDelivery);
    });
  }

  settle(delivery: ClaimedDelivery, answer: Answer, verdict: Verdict): Promise<void> {
    const attempt = [delivery.id, delivery.attempt, answer.status, answer.error, answer.ms];
    return inWorldlyTerms(async () => {
      switch (verdict.kind) {
        case 'delivered':
          if (!delivery.isEndpointUnwell) return void (await this.pool.query(DELIVERED, attempt));
          return this.withEndpoint(delivery, WELL, [], (client) => client.query(DELIVERED, attempt));
        case 'retry': {
          const { delayMs, restMs } = verdict;
          const values = [...attempt, delayMs];
          if (restMs === null) return void (await this.pool.query(RETRIED, values));
          const rests = `rests_until = GREATEST(rests_until, now() + $2::int * interval '1 millisecond')`;
          return this.withEndpoint(delivery, rests, [restMs], (client) => client.query(RETRIED, values));
        }
        case 'failed':
          return this.withEndpoint(delivery, FAILING, [], (client) =>
            giveUp(client, delivery, attempt, verdict.reason),
          );
        case 'gone':
          return this.withEndpoint(delivery, FAILING, [], async (client) => {
            await giveUp(client, delivery, attempt, verdict.reason);
            await client.query(DISABLE, [delivery.endpointId, verdict.reason]);
            await client.query(END_PENDING, [delivery.endpointId, verdict.reason]);
          });
        default:
          return assertNever(verdict);
      }
    });
  }

  sweep(keepDays: number, atOnce = SWEPT_AT_ONCE): Promise<number> {
    return inWorldlyTerms(async () => {
      const old = await this.forget(FORGET_OLD, [atOnce, keepDays]);
      const orphans = await this.forget(FORGET_ORPHANS, [atOnce]);
      await this.pool.query(FORGET_ENDPOINTS, [keepDays]);
      await this.pool.query(FORGET_SECRETS);
      return old + orphans;
    });
  }

  /** A portion at a time, the first of `values`. */
  private async forget(statement: string, values: readonly [number, ...number[]]): Promise<number> {
    for (let forgotten = 0; ;) {
      const { rows } = await this.pool.query<{ count: number }>(statement, [...values]);
      const count = rows[0]?.count ?? 0;
      forgotten += count;
      if (count < values[0]) return forgotten;
    }
  }

  /** The endpoint's row first, by whoever changes both: two never wait for each other. */
  private withEndpoint(
    { endpointId }: ClaimedDelivery,
    change: string,
    values: readonly unknown[],
    work: (client: pg.PoolClient) => Promise<unknown>,
  ): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await client.query(`UPDATE webhook_endpoint SET ${change} WHERE id = $1`, [endpointId, ...values]);
      await work(client);
    });
  }
}

const FAILING = 'failing_since = COALESCE(failing_since, now())';
/** A rest that others were given meanwhile goes on. */
const WELL = 'failing_since = NULL, rests_until = CASE WHEN rests_until > now() THEN rests_until END';

/** Nobody was told: the project's own history says so. */
async function giveUp(
  client: pg.PoolClient,
  { id, endpointId, project, type, attempt }: ClaimedDelivery,
  values: readonly unknown[],
  reason: string,
): Promise<void> {
  const { rowCount } = await client.query(GIVEN_UP, [...values, reason]);
  if (rowCount !== 1 || !project) return;
  const data = { delivery: id, webhook: endpointId, type, attempts: attempt, reason };
  await appendEvents(client, project.id, [{ type: 'webhook.failed', data }]);
}

function claimedDelivery(row: ClaimRow): ClaimedDelivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    url: row.url,
    secrets: [row.secret, ...(row.previous_secret?.split(' ') ?? [])],
    type: row.type,
    createdAt: row.created_at,
    project:
      row.project_id === null
        ? null
        : {
            id: row.project_id,
            name: row.name ?? '',
            mode: row.mode ?? '',
            state: row.project_state ?? '',
            status: row.project_status ?? '',
            checkpoint: row.version ?? 0,
            event: row.event_seq ?? 0,
          },
    details: JSON.parse(row.details) as JsonObject,
    attempt: row.attempts,
    tries: row.tries,
    isEndpointUnwell: row.unwell,
    traceparent: row.traceparent,
  };
}
