import { asked, type Prisma } from './prisma-client.js';

export type Beginning =
  /** Nobody has answered this yet: go on, then `complete` or `abandon`. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'in-flight' }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'answered'; readonly status: number; readonly response: string };

const KEPT_HOURS = 24;
/**
 * A process that crashed never answers: after this long its request is free to be made again. One that is merely slow
 * loses nothing by it: the same key and request are the same operation, and every route that honours a key does an
 * operation once, by its id, whoever does it and however often.
 */
const IN_FLIGHT_SECONDS = 15;

/** Answers by `Idempotency-Key`, per principal. Times are the database's. */
export class PrismaIdempotencyStore {
  constructor(private readonly prisma: Prisma) {}

  async begin(principalId: string, key: string, requestHash: string): Promise<Beginning> {
    const taken = await asked(
      () => this.prisma.$queryRaw<unknown[]>`
        INSERT INTO idempotency_key AS k (principal_id, key, request_hash) VALUES (${principalId}, ${key}, ${requestHash})
        ON CONFLICT (principal_id, key) DO UPDATE
          SET request_hash = excluded.request_hash, status_code = NULL, response = NULL, created_at = now()
        WHERE k.created_at < now() - make_interval(hours => ${KEPT_HOURS}::int)
           OR (k.status_code IS NULL AND k.request_hash = excluded.request_hash
               AND k.created_at < now() - make_interval(secs => ${IN_FLIGHT_SECONDS}::int))
        RETURNING 1`,
    );
    if (taken.length > 0) return { kind: 'fresh' };
    const where = { principalId_key: { principalId, key } };
    const row = await asked(() => this.prisma.idempotencyKey.findUnique({ where }));
    if (row && row.requestHash !== requestHash) return { kind: 'mismatch' };
    if (row?.statusCode == null || row.response === null) return { kind: 'in-flight' };
    return { kind: 'answered', status: row.statusCode, response: row.response };
  }

  async complete(principalId: string, key: string, status: number, response: string): Promise<void> {
    const where = { principalId, key, statusCode: null };
    await asked(() => this.prisma.idempotencyKey.updateMany({ where, data: { statusCode: status, response } }));
  }

  /** The request failed: the key may be used again at once, as if nothing had been sent. */
  async abandon(principalId: string, key: string): Promise<void> {
    await asked(() => this.prisma.idempotencyKey.deleteMany({ where: { principalId, key, statusCode: null } }));
  }

  async sweep(): Promise<void> {
    await asked(
      () => this.prisma.$executeRaw`
        DELETE FROM idempotency_key WHERE created_at < now() - make_interval(hours => ${KEPT_HOURS}::int)`,
    );
  }
}
