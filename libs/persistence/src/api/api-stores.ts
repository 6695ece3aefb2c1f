import type pg from 'pg';
import { PgKeyRing } from './pg-key-ring.js';
import { PrismaCheckpointReads } from './prisma-checkpoint-reads.js';
import { openPrisma } from './prisma-client.js';
import { PrismaIdempotencyStore } from './prisma-idempotency.store.js';
import { prismaMachineTables } from './prisma-machine-tables.js';
import { PrismaProjectReads, type WhyNot } from './prisma-project-reads.js';
import { PrismaTeamReads, type WithEnded } from './prisma-team-reads.js';

export interface ApiStores {
  readonly reads: PrismaProjectReads;
  readonly checkpoints: PrismaCheckpointReads;
  readonly teams: PrismaTeamReads;
  readonly keys: PgKeyRing;
  readonly idempotency: PrismaIdempotencyStore;
  /** Before the pool is ended. */
  close(): Promise<void>;
}

/**
 * Everything the API keeps and reads, on one pool. `whyNot` tells why this code cannot run a machine, if it cannot;
 * `withEnded`, what a team looks like of which some have ended.
 */
export function openApiStores(
  pool: pg.Pool,
  whyNot: WhyNot = () => Promise.resolve(null),
  withEnded: WithEnded = (face) => face,
): ApiStores {
  const prisma = openPrisma(pool);
  return {
    reads: new PrismaProjectReads(prisma, prismaMachineTables(prisma), whyNot),
    checkpoints: new PrismaCheckpointReads(prisma),
    teams: new PrismaTeamReads(prisma, withEnded),
    keys: new PgKeyRing(pool),
    idempotency: new PrismaIdempotencyStore(prisma),
    close: () => prisma.$disconnect(),
  };
}
