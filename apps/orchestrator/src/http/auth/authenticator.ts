import { timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '#contracts';
import { type Clock, UserError } from '#kernel';
import type { Caller, KeyRing } from '../ports.js';
import { hashOfKey, isApiKey } from './api-keys.js';

const REMEMBERED_MS = 5_000;
const REMEMBERED_KEYS = 1_000;

/** Tells who a request comes from. Remembers keys for a few seconds, so a revoked one may live that long elsewhere. */
export class Authenticator {
  private readonly remembered = new Map<string, { readonly key: ApiKey; readonly until: number }>();

  constructor(
    private readonly keys: KeyRing,
    private readonly clock: Clock,
  ) {}

  async authenticate(authorization: string | undefined): Promise<Caller> {
    const [scheme, presented, ...rest] = authorization?.split(' ') ?? [];
    if (scheme?.toLowerCase() !== 'bearer' || presented === undefined || rest.length > 0) {
      throw unauthenticated('Send `Authorization: Bearer qr_…` with an API key.');
    }
    const key = isApiKey(presented) ? await this.keyOf(hashOfKey(presented)) : null;
    if (!key)
      throw unauthenticated('The API key is unknown. In embedded mode one is in the data folder, in admin.key.');
    if (key.revokedAt !== null) throw unauthenticated('The API key was revoked. Ask for a new one.');
    if (key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now()) {
      throw unauthenticated('The API key has expired. Ask for a new one.');
    }
    return { keyId: key.id, principal: key.principal, scopes: key.scopes };
  }

  forget(hash: string): void {
    this.remembered.delete(hash);
  }

  private async keyOf(hash: string): Promise<ApiKey | null> {
    const kept = this.remembered.get(hash);
    if (kept && kept.until > this.clock.now()) return kept.key;
    const found = await this.keys.find(hash);
    this.remembered.delete(hash);
    if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return null;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined && this.remembered.size >= REMEMBERED_KEYS) this.remembered.delete(oldest);
    this.remembered.set(hash, { key: found, until: this.clock.now() + REMEMBERED_MS });
    return found;
  }
}

const unauthenticated = (detail: string): UserError => new UserError('UNAUTHENTICATED', detail);
