export * from './api-stores.js';
export * from './pg-commands.js';
export * from './pg-key-ring.js';
export * from './prisma-checkpoint-reads.js';
export { openPrisma, type Prisma } from './prisma-client.js';
export * from './prisma-idempotency.store.js';
export * from './prisma-machine-tables.js';
export * from './prisma-project-reads.js';
export * from './prisma-team-reads.js';
