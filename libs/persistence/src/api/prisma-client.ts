import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { errorMessage, WorldError } from '#kernel';
import { PrismaClient } from '../generated/client.js';
import { worldly } from '../projects/pg-errors.js';

export type Prisma = PrismaClient;

/** Prisma on a pool that somebody else owns and closes: one set of connections, with one rule for broken ones. */
export const openPrisma = (pool: pg.Pool): Prisma =>
  new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });

/** Kinds of Prisma's driver adapter that carry no code of Postgres: the statement never got there, or no answer came. */
const AWAY: readonly unknown[] = ['DatabaseNotReachable', 'TlsConnectionError'];
const UNANSWERED: readonly unknown[] = ['SocketTimeout', 'ConnectionClosed'];

/** Asks the database, and says it in the engine's terms when it is away. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw inOurTerms(error, 'STORE_AWAY');
  }
}

/** Has the database change something. Where no answer comes, nobody knows whether it did. */
export async function ordered<T>(order: () => Promise<T>): Promise<T> {
  try {
    return await order();
  } catch (error) {
    throw inOurTerms(error, 'ANSWER_LOST');
  }
}

function inOurTerms(error: unknown, unanswered: 'STORE_AWAY' | 'ANSWER_LOST'): unknown {
  const { kind, originalCode } = driverCause(error);
  const away = AWAY.includes(kind) ? 'STORE_AWAY' : UNANSWERED.includes(kind) ? unanswered : null;
  if (away) return new WorldError(away, `the database is away: ${errorMessage(error)}`, {}, { cause: error });
  const code = typeof originalCode === 'string' ? { code: originalCode } : {};
  const said = worldly(Object.assign(new Error(errorMessage(error), { cause: error }), code));
  return said instanceof WorldError ? said : error;
}

/** Prisma keeps what its driver adapter said in `meta`, outside its declared types. */
function driverCause(error: unknown): { readonly kind?: unknown; readonly originalCode?: unknown } {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: { cause?: object } } };
  return meta?.driverAdapterError?.cause ?? {};
}
