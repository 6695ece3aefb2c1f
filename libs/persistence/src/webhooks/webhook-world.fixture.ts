import { beforeEach } from 'vitest';
import type { Announcement } from '#engine';
import { newId } from '#kernel';
import type { ClaimTerms } from '#webhooks';
import { announce } from '../projects/announce.js';
import { useDatabase } from '../projects/database.fixture.js';
import { PgDeliveries } from './pg-deliveries.js';
import { insertEndpoint, PgWebhooks } from './pg-webhooks.js';

export const TERMS: ClaimTerms = { most: 100, mostPerEndpoint: 100, busy: new Map(), leaseMs: 60_000 };
export const ANSWER = { status: 500, error: 'it answered 500', ms: 3 };
export const ARRIVED = { status: 200, error: null, ms: 1 };

/** Endpoints and messages in a database of their own, gone before each test. */
class WebhookWorld {
  constructor(readonly database: ReturnType<typeof useDatabase>) {}

  get store(): PgDeliveries {
    return new PgDeliveries(this.database.pool);
  }

  get webhooks(): PgWebhooks {
    return new PgWebhooks(this.database.pool);
  }

  async endpoint(more: { types?: string[]; projectId?: string } = {}): Promise<string> {
    const id = newId();
    const seed = { id, projectId: null, url: 'https://x', types: [], description: null, secret: 's', ...more };
    await insertEndpoint(this.database.pool, seed);
    return id;
  }

  project(): Promise<string> {
    return this.database.sample();
  }

  tell(projectId: string, count = 1, type = 'project.completed'): Promise<void> {
    const told = Array.from({ length: count }, (): Announcement => ({ type, data: {} }));
    return announce(this.database.pool, projectId, told);
  }

  async column(name: string, table = 'webhook_delivery'): Promise<unknown[]> {
    const { rows } = await this.database.pool.query<Record<string, unknown>>(`SELECT ${name} FROM ${table}`);
    return rows.map((row) => row[name]);
  }
}

export function useWebhooks(name: string): WebhookWorld {
  const world = new WebhookWorld(useDatabase(name));
  beforeEach(async () => {
    await world.database.pool.query('TRUNCATE webhook_endpoint, webhook_delivery, webhook_attempt');
  });
  return world;
}
