import type { ProjectModel } from '../generated/models.js';
import type { Parent } from './person-wanted.js';
import { asked, type Prisma } from './prisma-client.js';
import { ENDED, waitOf } from './project-row.js';

/** A child that has not ended, as its parent's view names it. */
export interface ChildView {
  readonly key: string;
  readonly id: string;
  readonly status: string;
}

/** Who belongs to whom. Each question is asked once for a whole page of projects. */
export class PrismaFamilies {
  constructor(private readonly prisma: Prisma) {}

  async parentsOf(rows: readonly ProjectModel[]): Promise<ReadonlyMap<string, Parent>> {
    const ids = rows.flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
    if (ids.length === 0) return new Map();
    const where = { id: { in: [...new Set(ids)] } };
    const found = await asked(() => this.prisma.project.findMany({ where, select: { id: true, name: true } }));
    return new Map(found.map((parent) => [parent.id, parent]));
  }

  /** The children that these projects wait for, by parent. */
  async awaited(rows: readonly ProjectModel[]): Promise<ReadonlyMap<string, readonly ChildView[]>> {
    const waiting = rows.filter((row) => waitOf(row)?.kind === 'children');
    if (waiting.length === 0) return new Map();
    const found = await asked(() =>
      this.prisma.project.findMany({
        where: { parentId: { in: waiting.map(({ id }) => id) }, status: { notIn: [...ENDED] } },
        orderBy: [{ parentIncarnation: 'asc' }, { parentVisit: 'asc' }, { parentKey: 'asc' }],
        select: { id: true, parentId: true, parentKey: true, status: true },
      }),
    );
    return new Map(
      waiting.map((row) => {
        const keys = waitOf(row)?.['keys'] as readonly string[];
        // The newest of each key: one that a restore left behind may still be on its way to its end.
        const newest = new Map<string, ChildView>();
        for (const { id, parentId, parentKey, status } of found) {
          if (parentId === row.id && parentKey !== null && keys.includes(parentKey)) {
            newest.set(parentKey, { key: parentKey, id, status });
          }
        }
        return [row.id, [...newest.values()]];
      }),
    );
  }
}
