import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { errorMessage } from '#kernel';
import { PrismaClient } from '../generated/client.js';
import { worldly } from '../projects/pg-errors.js';

export type Prisma = PrismaClient;

/** Prisma on a pool that somebody else owns and closes: one set of connections, with one rule for broken ones. */
export const openPrisma = (pool: pg.Pool): Prisma => new PrismaClient({ adapter: new PrismaPg(pool) });

/** Reads say it in the engine's terms when the database is away; Prisma wraps the driver's error in its own. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      const said = worldly(cause);
      if (said !== cause) throw said;
    }
    const said = worldly(new Error(errorMessage(error), { cause: error }));
    throw said instanceof Error && 'code' in said ? said : error;
  }
}
