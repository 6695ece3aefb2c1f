import {
  type ApiKey,
  decodeTimeCursor,
  encodeTimeCursor,
  type Page,
  type PageQuery,
  type Principal,
  type Scope,
} from '#contracts';
import { isUuid, newId, UserError } from '#kernel';
import type { ApiKeyModel } from '../generated/models.js';
import { asked, ordered, type Prisma } from './prisma-client.js';

export interface NewKey {
  readonly name: string;
  /** SHA-256 of the key, in hex: the key itself is never stored. */
  readonly hash: string;
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

export class PrismaKeyRing {
  constructor(private readonly prisma: Prisma) {}

  async find(hash: string): Promise<(ApiKey & { readonly hash: string }) | null> {
    const row = await asked(() => this.prisma.apiKey.findUnique({ where: { hash } }));
    return row && { ...keyView(row), hash: row.hash };
  }

  async add(key: NewKey): Promise<ApiKey> {
    const data = { ...key, id: newId(), scopes: [...key.scopes] };
    return keyView(await ordered(() => this.prisma.apiKey.create({ data })));
  }

  async list({ cursor, limit }: PageQuery): Promise<Page<ApiKey>> {
    const where = cursor === undefined ? {} : olderThan(cursor);
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const rows = await asked(() => this.prisma.apiKey.findMany({ where, orderBy, take: limit + 1 }));
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const nextCursor = last ? encodeTimeCursor(last.createdAt, last.id) : null;
    return { data: shown.map(keyView), nextCursor };
  }

  /** Revoking twice is revoking once; returns the hash of the key that no longer opens anything. */
  async revoke(id: string): Promise<string> {
    const row = isUuid(id) ? await asked(() => this.prisma.apiKey.findUnique({ where: { id } })) : null;
    if (!row) throw new UserError('API_KEY_NOT_FOUND', `There is no API key ${id}. GET /v1/api-keys lists them.`);
    const where = { id, revokedAt: null };
    await ordered(() => this.prisma.apiKey.updateMany({ where, data: { revokedAt: new Date() } }));
    return row.hash;
  }

  /** Whether some person can still get in with every right. */
  async hasAdmin(): Promise<boolean> {
    const alive = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
    const where = { principal: 'human', scopes: { has: 'admin' }, revokedAt: null, ...alive };
    return (await asked(() => this.prisma.apiKey.count({ where }))) > 0;
  }
}

function olderThan(cursor: string) {
  const { at: createdAt, id } = decodeTimeCursor(cursor);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

const keyView = (row: ApiKeyModel): ApiKey => ({
  id: row.id,
  name: row.name,
  principal: row.principal as Principal,
  scopes: row.scopes as Scope[],
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
