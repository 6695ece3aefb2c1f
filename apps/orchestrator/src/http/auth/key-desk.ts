import type { ApiKey, CreateApiKey, NewApiKey, Page, PageQuery } from '#contracts';
import { UserError } from '#kernel';
import type { KeyRing } from '../ports.js';
import { hashOfKey, newApiKey } from './api-keys.js';
import type { Authenticator } from './authenticator.js';

/** Makes and revokes API keys; what it makes is seen once and stored as a hash. */
export class KeyDesk {
  constructor(
    private readonly keys: KeyRing,
    private readonly authenticator: Authenticator,
  ) {}

  async create({ name, principal, scopes, expiresAt }: CreateApiKey): Promise<NewApiKey> {
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    if (expiry && expiry.getTime() <= Date.now()) {
      throw new UserError('EXPIRY_PAST', 'expiresAt has passed already. Give a time to come, or leave it out.');
    }
    const key = newApiKey();
    const entry = { name, hash: hashOfKey(key), principal, scopes: [...new Set(scopes)], expiresAt: expiry };
    return { ...(await this.keys.add(entry)), key };
  }

  list(query: PageQuery): Promise<Page<ApiKey>> {
    return this.keys.list(query);
  }

  async revoke(id: string): Promise<void> {
    this.authenticator.forget(await this.keys.revoke(id));
  }
}
