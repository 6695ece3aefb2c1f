import { join } from 'node:path';
import { root, run } from './run.mjs';
import { timeOf } from './sources.mjs';

/** Generates the Prisma client unless it is newer than the schema; resolves to the exit code. */
export async function ensureClient() {
  const client = timeOf(join(root, 'libs/persistence/src/generated/client.ts'));
  const isFresh = client !== null && client > (timeOf(join(root, 'prisma/schema.prisma')) ?? 0);
  return isFresh ? 0 : run(join(root, 'scripts', 'prisma-generate.mjs'), []);
}
