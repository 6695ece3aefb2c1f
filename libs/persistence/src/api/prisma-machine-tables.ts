import type { Machine } from '#engine';
import type { Prisma } from './prisma-client.js';
import { asked } from './prisma-client.js';
import type { MachineTables } from './project-view.js';

/** The tables as they were stored when a project of that version began. A stored version never changes: kept once read. */
export function prismaMachineTables(prisma: Prisma): MachineTables {
  const known = new Map<string, Machine>();
  return async (name, version) => {
    const id = `${name}@${String(version)}`;
    const kept = known.get(id);
    if (kept) return kept;
    const row = await asked(() => prisma.machine.findUnique({ where: { name_version: { name, version } } }));
    if (!row) return null;
    const machine = JSON.parse(row.definition) as Machine;
    known.set(id, machine);
    return machine;
  };
}
