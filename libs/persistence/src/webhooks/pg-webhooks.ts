import type pg from 'pg';
import {
  type ChangeWebhook,
  decodeTimeCursor,
  type DeliveryQuery,
  encodeTimeCursor,
  type Page,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookQuery,
} from '#contracts';
import { UserError } from '#kernel';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { inTransaction } from '../projects/pool.js';
import { DISABLE, END_PENDING } from './deliveries.sql.js';
import {
  DELIVERY_ROW,
  type DeliveryRow,
  deliveryView,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointView,
} from './webhook-rows.js';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

export interface EndpointSeed {
  readonly id: string;
  readonly projectId: string | null;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  /** As it is to be stored. */
  readonly secret: string;
}

/** So many earlier secrets sign beside the present one. */
const MOST_BEFORE = 4;

/** Adding the same one again changes nothing. */
export async function insertEndpoint(client: Client, seed: EndpointSeed): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoint (id, project_id, url, types, description, secret)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [seed.id, seed.projectId, seed.url, seed.types, seed.description, seed.secret],
  );
}

/** A fork is told to whoever is told of its origin, signed alike. */
export async function copyEndpoint(
  client: Client,
  from: string,
  to: { readonly id: string; readonly projectId: string },
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoint (id, project_id, url, types, description, secret, previous_secret, previous_until)
     SELECT $2, $3, url, types, description, secret, previous_secret, previous_until
     FROM webhook_endpoint WHERE project_id = $1 AND enabled LIMIT 1
     ON CONFLICT (id) DO NOTHING`,
    [from, to.id, to.projectId],
  );
}

/** Endpoints and their deliveries, as people look after them. */
export class PgWebhooks {
  constructor(private readonly pool: pg.Pool) {}

  async add(seed: EndpointSeed): Promise<WebhookEndpoint> {
    await inWorldlyTerms(() => insertEndpoint(this.pool, seed));
    return this.get(seed.id);
  }

  async get(id: string): Promise<WebhookEndpoint> {
    return this.found(id, await this.endpoints(`WHERE id = $1`, [id]));
  }

  /** The secret as it is stored; null where there is no such endpoint. */
  secretOf(id: string): Promise<string | null> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<{ secret: string }>('SELECT secret FROM webhook_endpoint WHERE id = $1', [
        id,
      ]);
      return rows[0]?.secret ?? null;
    });
  }

  async list({ cursor, limit, projectId }: WebhookQuery): Promise<Page<WebhookEndpoint>> {
    const after = position(cursor);
    const rows = await this.endpoints(
      `WHERE ($1::uuid IS NULL OR project_id = $1) AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      [projectId ?? null, after.at, after.id, limit + 1],
    );
    return pageOf(rows, limit, endpointView);
  }

  /** What one address asked for, such as a rest, does not bind the next. */
  async change(id: string, { url, types, description, enabled }: ChangeWebhook): Promise<WebhookEndpoint> {
    await inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        if (enabled !== undefined) await switchTo(client, id, enabled);
        await client.query(
          `UPDATE webhook_endpoint SET url = COALESCE($2, url), types = COALESCE($3, types),
             rests_until = CASE WHEN COALESCE($2, url) = url THEN rests_until END,
             description = CASE WHEN $4 THEN $5 ELSE description END, updated_at = now()
           WHERE id = $1`,
          [id, url ?? null, types ?? null, description !== undefined, description ?? null],
        );
      }),
    );
    return this.get(id);
  }

  /** Its deliveries may be millions: they can no longer be seen, and the sweep removes them. */
  async remove(id: string): Promise<void> {
    const { rowCount } = await inWorldlyTerms(() =>
      this.pool.query('DELETE FROM webhook_endpoint WHERE id = $1', [id]),
    );
    if (rowCount !== 1) throw notFound(id);
  }

  /**
   * The one before signs too until its time is over, and so do those whose time was not over yet: of two rotations in a
   * row the answer to the first may have got lost, and nobody but us knows that secret. Whoever rotates decides anew for
   * all of them; without any time they are forgotten at once.
   */
  async rotate(id: string, secret: string, graceSeconds: number): Promise<WebhookEndpoint> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<EndpointRow>(
        `UPDATE webhook_endpoint SET secret = $2, updated_at = now(),
           previous_until = CASE WHEN $3::int > 0 THEN now() + $3 * interval '1 second' END,
           previous_secret = CASE WHEN $3 > 0 THEN array_to_string((
             ARRAY[secret] || CASE WHEN previous_until > now() THEN string_to_array(previous_secret, ' ') END
           )[1:${String(MOST_BEFORE)}], ' ') END
         WHERE id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
        [id, secret, graceSeconds],
      ),
    );
    return this.found(id, rows);
  }

  async deliveries(id: string, { cursor, limit, outcome }: DeliveryQuery): Promise<Page<WebhookDelivery>> {
    await this.get(id);
    const after = position(cursor);
    const rows = await this.deliveryRows(
      `WHERE d.endpoint_id = $1 AND ($2::text IS NULL OR d.outcome = $2)
         AND ($3::timestamptz IS NULL OR (d.created_at, d.id) < ($3, $4::uuid))
       ORDER BY d.created_at DESC, d.id DESC LIMIT $5`,
      [id, outcome ?? null, after.at, after.id, limit + 1],
    );
    return pageOf(rows, limit, deliveryView);
  }

  async addTest(id: string): Promise<WebhookDelivery> {
    await this.mustBeEnabled(id);
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ id: string }>(
        `INSERT INTO webhook_delivery (endpoint_id, type, details, due_at)
         VALUES ($1, 'webhook.test', '{}', '-infinity') RETURNING id`,
        [id],
      ),
    );
    return this.delivery(id, rows[0]?.id ?? '');
  }

  /** Under the same id, with the whole schedule before it again, and at once though the endpoint rests. */
  async redeliver(id: string, deliveryId: string): Promise<WebhookDelivery> {
    await this.mustBeEnabled(id);
    await inWorldlyTerms(() =>
      this.pool.query(
        `UPDATE webhook_delivery SET outcome = 'pending', reason = NULL, finished_at = NULL, tries = 0, due_at = '-infinity'
         WHERE id = $2 AND endpoint_id = $1`,
        [id, deliveryId],
      ),
    );
    return this.delivery(id, deliveryId);
  }

  private async mustBeEnabled(id: string): Promise<void> {
    const { enabled, disabledReason } = await this.get(id);
    if (enabled) return;
    const why = disabledReason ?? 'no reason is known';
    throw new UserError(
      'WEBHOOK_DISABLED',
      `nothing is sent to a disabled endpoint (${why}): PATCH {"enabled": true} first`,
    );
  }

  private async delivery(id: string, deliveryId: string): Promise<WebhookDelivery> {
    const [row] = await this.deliveryRows('WHERE d.endpoint_id = $1 AND d.id = $2', [id, deliveryId]);
    if (row) return deliveryView(row);
    throw new UserError(
      'DELIVERY_NOT_FOUND',
      `There is no delivery ${deliveryId}. GET /v1/webhooks/${id}/deliveries lists them.`,
    );
  }

  private found(id: string, [row]: readonly EndpointRow[]): WebhookEndpoint {
    if (row) return endpointView(row);
    throw notFound(id);
  }

  private endpoints(rest: string, values: unknown[]): Promise<EndpointRow[]> {
    const sql = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint ${rest}`;
    return inWorldlyTerms(async () => (await this.pool.query<EndpointRow>(sql, values)).rows);
  }

  private deliveryRows(rest: string, values: unknown[]): Promise<DeliveryRow[]> {
    const sql = `SELECT ${DELIVERY_ROW} FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id ${rest}`;
    return inWorldlyTerms(async () => (await this.pool.query<DeliveryRow>(sql, values)).rows);
  }
}

const notFound = (id: string): UserError =>
  new UserError('WEBHOOK_NOT_FOUND', `There is no webhook ${id}. GET /v1/webhooks lists them.`);

/** Switched on, it is sent nothing of before: what it was told while it was being switched off is ended first. */
async function switchTo(client: pg.PoolClient, id: string, enabled: boolean): Promise<void> {
  const { rows } = await client.query<{ enabled: boolean; reason: string | null }>(
    'SELECT enabled, disabled_reason AS reason FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  const [was] = rows;
  if (!was) return;
  if (!enabled) {
    await client.query(DISABLE, [id, SWITCHED_OFF]);
    await client.query(END_PENDING, [id, SWITCHED_OFF]);
    return;
  }
  if (!was.enabled) await endAll(client, id, was.reason ?? SWITCHED_OFF);
  await client.query(
    'UPDATE webhook_endpoint SET enabled = true, disabled_reason = NULL, rests_until = NULL WHERE id = $1',
    [id],
  );
}

const SWITCHED_OFF = 'somebody switched it off';

async function endAll(client: pg.PoolClient, id: string, why: string): Promise<void> {
  for (let ended = 1; ended > 0;) ended = (await client.query(END_PENDING, [id, why])).rowCount ?? 0;
}

const position = (cursor: string | undefined): { readonly at: Date | null; readonly id: string | null } =>
  cursor === undefined ? { at: null, id: null } : decodeTimeCursor(cursor);

function pageOf<R extends { readonly id: string; readonly createdAt: Date }, V>(
  rows: readonly R[],
  limit: number,
  view: (row: R) => V,
): Page<V> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(view), nextCursor: last ? encodeTimeCursor(last.createdAt, last.id) : null };
}
