import type { Machine } from '#engine';
import { storedMachine } from '../machines/stored-machine.js';
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
    const stored = storedMachine(row);
    if (stored.kind === 'damaged') return null;
    known.set(id, stored.machine);
    return stored.machine;
  };
}
