import type pg from 'pg';
import {
  type ApiKey,
  decodeTimeCursor,
  encodeTimeCursor,
  type Page,
  type PageQuery,
  type Principal,
  type Scope,
} from '#contracts';
import { EngineBug, isUuid, newId, UserError } from '#kernel';
import { inWorldlyTerms } from '../projects/pg-errors.js';

export interface NewKey {
  readonly name: string;
  /** SHA-256 of the key, in hex: the key itself is never stored. */
  readonly hash: string;
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly principal: Principal;
  readonly scopes: Scope[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

const COLUMNS = 'id, name, hash, principal, scopes, created_at, expires_at, revoked_at';
const BY_HASH = `SELECT ${COLUMNS} FROM api_key WHERE hash = $1`;
const ADD = `
INSERT INTO api_key (id, name, hash, principal, scopes, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
RETURNING ${COLUMNS}`;
const LIST = `
SELECT ${COLUMNS} FROM api_key WHERE $1::timestamptz IS NULL OR (created_at, id) < ($1, $2::uuid)
ORDER BY created_at DESC, id DESC LIMIT $3`;
const REVOKE = 'UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING hash';
const HAS_ADMIN = `
SELECT 1 FROM api_key WHERE principal = 'human' AND 'admin' = ANY(scopes) AND revoked_at IS NULL
  AND (expires_at IS NULL OR expires_at > now()) LIMIT 1`;

/**
 * The API keys. Plain SQL, because the start asks for the admin key: Prisma would load its query compiler for that, and
 * an idle service needs tens of megabytes less without it.
 */
export class PgKeyRing {
  constructor(private readonly pool: pg.Pool) {}

  async find(hash: string): Promise<(ApiKey & { readonly hash: string }) | null> {
    const [row] = await this.query<KeyRow>(BY_HASH, [hash]);
    return row ? { ...keyView(row), hash: row.hash } : null;
  }

  async add({ name, hash, principal, scopes, expiresAt }: NewKey): Promise<ApiKey> {
    const [row] = await this.query<KeyRow>(ADD, [newId(), name, hash, principal, scopes, expiresAt]);
    if (!row) throw new EngineBug('API_KEY_NOT_ADDED', 'the database returned no row for a new API key');
    return keyView(row);
  }

  async list({ cursor, limit }: PageQuery): Promise<Page<ApiKey>> {
    const { at, id } = cursor === undefined ? { at: null, id: null } : decodeTimeCursor(cursor);
    const rows = await this.query<KeyRow>(LIST, [at, id, limit + 1]);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const nextCursor = last ? encodeTimeCursor(last.created_at, last.id) : null;
    return { data: shown.map(keyView), nextCursor };
  }

  /** Revoking twice is revoking once; returns the hash of the key that no longer opens anything. */
  async revoke(id: string): Promise<string> {
    const [row] = isUuid(id) ? await this.query<Pick<KeyRow, 'hash'>>(REVOKE, [id]) : [];
    if (!row) throw new UserError('API_KEY_NOT_FOUND', `There is no API key ${id}. GET /v1/api-keys lists them.`);
    return row.hash;
  }

  /** Whether some person can still get in with every right. */
  async hasAdmin(): Promise<boolean> {
    return (await this.query(HAS_ADMIN, [])).length > 0;
  }

  private query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return inWorldlyTerms(async () => (await this.pool.query<Row>(sql, [...values])).rows);
  }
}

const keyView = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  principal: row.principal,
  scopes: row.scopes,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
});
