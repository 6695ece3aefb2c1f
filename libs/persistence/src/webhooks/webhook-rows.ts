import type { DeliveryOutcome, WebhookDelivery, WebhookEndpoint } from '#contracts';

export const ENDPOINT_COLUMNS = `id, project_id AS "projectId", url, types, description, enabled,
  disabled_reason AS "disabledReason", failing_since AS "failingSince",
  CASE WHEN rests_until > now() THEN rests_until END AS "restsUntil",
  created_at AS "createdAt", updated_at AS "updatedAt", CASE WHEN previous_until > now() THEN previous_until END AS "previousUntil"`;

export interface EndpointRow {
  readonly id: string;
  readonly projectId: string | null;
  readonly url: string;
  readonly types: string[];
  readonly description: string | null;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly restsUntil: Date | null;
  readonly previousUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const endpointView = ({ previousUntil, ...row }: EndpointRow): WebhookEndpoint => ({
  ...row,
  failingSince: row.failingSince?.toISOString() ?? null,
  restsUntil: row.restsUntil?.toISOString() ?? null,
  previousSecretUntil: previousUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Attempts come along as JSON, the newest ones. It is sent no sooner than its endpoint rests, or at once by hand. */
export const DELIVERY_ROW = `d.id, d.endpoint_id AS "webhookId", d.project_id AS "projectId", d.type, d.outcome, d.reason,
  d.created_at AS "createdAt", d.finished_at AS "finishedAt",
  CASE WHEN d.due_at = '-infinity' THEN now() ELSE GREATEST(d.due_at, e.rests_until) END AS "dueAt",
  (SELECT COALESCE(json_agg(a ORDER BY a.number), '[]') FROM (
    SELECT number, at, status, error, ms FROM webhook_attempt WHERE delivery_id = d.id ORDER BY number DESC LIMIT 25
  ) a) AS attempts`;

interface AttemptRow {
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly projectId: string | null;
  readonly type: string;
  readonly outcome: DeliveryOutcome;
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly finishedAt: Date | null;
  readonly attempts: readonly AttemptRow[];
}

export const deliveryView = (row: DeliveryRow): WebhookDelivery => ({
  ...row,
  attempts: row.attempts.map(({ at, ...attempt }) => ({ ...attempt, at: new Date(at).toISOString() })),
  createdAt: row.createdAt.toISOString(),
  dueAt: row.outcome === 'pending' ? row.dueAt.toISOString() : null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
