import { asked, type Prisma } from './prisma-client.js';

/** Which of these projects, each at the root of its family, called a simulated model: the ledger has every call. */
export async function simulatedAmong(prisma: Prisma, rootIds: Iterable<string>): Promise<ReadonlySet<string>> {
  const where = { rootId: { in: [...new Set(rootIds)] }, simulated: true };
  if (where.rootId.in.length === 0) return new Set();
  const rows = await asked(() => prisma.modelCall.groupBy({ by: ['rootId'], where }));
  return new Set(rows.map(({ rootId }) => rootId));
}
