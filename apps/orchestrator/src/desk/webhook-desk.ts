import type { Config } from '#config';
import type {
  ChangeWebhook,
  DeliveryQuery,
  NewWebhook,
  Page,
  RotateSecret,
  StartedWebhook,
  StartProject,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookQuery,
  WebhookWithSecret,
} from '#contracts';
import { idFromName, WorldError } from '#kernel';
import { type Database, type EndpointSeed, PgWebhooks } from '#persistence';
import { type AddressGuard, newSecret, SecretBox } from '#webhooks';
import { addressGuard } from '../../../worker/src/host-deliveries.js';
import type { Operation, WebhookDesk } from '../http/index.js';

export interface WebhookParts {
  readonly store: PgWebhooks;
  readonly guard: AddressGuard;
  readonly box: SecretBox;
}

export const openWebhookDesk = (pool: Database, config: Pick<Config, 'webhooks'>): StoredWebhookDesk =>
  new StoredWebhookDesk({
    store: new PgWebhooks(pool),
    guard: addressGuard(config),
    box: new SecretBox(config.webhooks.key),
  });

/** Looks after endpoints on behalf of API callers. A secret leaves it once, when it is made. */
export class StoredWebhookDesk implements WebhookDesk {
  constructor(private readonly parts: WebhookParts) {}

  async create({ url, types, description }: NewWebhook, operation: Operation): Promise<WebhookWithSecret> {
    await this.parts.guard.checkNow(url);
    const seed = { id: operation.id, projectId: null, url, types, description, secret: this.newSecret() };
    const endpoint = await this.parts.store.add(seed);
    return { ...endpoint, secret: await this.secretOf(endpoint.id) };
  }

  get(id: string): Promise<WebhookEndpoint> {
    return this.parts.store.get(id);
  }

  list(query: WebhookQuery): Promise<Page<WebhookEndpoint>> {
    return this.parts.store.list(query);
  }

  async change(id: string, change: ChangeWebhook): Promise<WebhookEndpoint> {
    if (change.url !== undefined) await this.parts.guard.checkNow(change.url);
    return this.parts.store.change(id, change);
  }

  remove(id: string): Promise<void> {
    return this.parts.store.remove(id);
  }

  async rotateSecret(id: string, { graceSeconds }: RotateSecret): Promise<WebhookWithSecret> {
    const secret = newSecret();
    return { ...(await this.parts.store.rotate(id, this.parts.box.seal(secret), graceSeconds)), secret };
  }

  test(id: string): Promise<WebhookDelivery> {
    return this.parts.store.addTest(id);
  }

  deliveries(id: string, query: DeliveryQuery): Promise<Page<WebhookDelivery>> {
    return this.parts.store.deliveries(id, query);
  }

  redeliver(id: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.parts.store.redeliver(id, deliveryId);
  }

  /** The endpoint that a start asks for, to be stored with its project; null where it asks for none. */
  async seedFor({ webhook }: StartProject, projectId: string): Promise<EndpointSeed | null> {
    if (!webhook) return null;
    const { url, types = [] } = webhook;
    await this.parts.guard.checkNow(url);
    return { id: endpointOf(projectId), projectId, url, types, description: null, secret: this.newSecret() };
  }

  async started({ webhook }: StartProject, projectId: string): Promise<StartedWebhook | null> {
    if (!webhook) return null;
    const id = endpointOf(projectId);
    return { id, url: webhook.url, secret: await this.secretOf(id) };
  }

  private newSecret(): string {
    return this.parts.box.seal(newSecret());
  }

  /** As it was stored: an operation that is done again after a crash finds the secret of the first time. */
  private async secretOf(id: string): Promise<string> {
    const stored = await this.parts.store.secretOf(id);
    if (stored === null) throw new WorldError('ANSWER_LOST', `done, and the webhook ${id} is gone by now`);
    return this.parts.box.open(stored);
  }
}

/** A project has one of its own at most: asking twice makes no second. */
export const endpointOf = (projectId: string): string => idFromName(`webhook/${projectId}`);
