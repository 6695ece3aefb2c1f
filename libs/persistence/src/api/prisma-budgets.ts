import type { Project } from '#contracts';
import { usdOf } from '#models';
import type { BudgetModel, ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';

type Line = Pick<ProjectModel, 'id' | 'parentId'>;

/** The budgets that these projects draw on: those of the projects at their roots. */
export async function budgetsOf(
  prisma: Prisma,
  roots: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, NonNullable<Project['budget']>>> {
  const where = { rootId: { in: [...new Set(roots.values())] } };
  const found = roots.size === 0 ? [] : await asked(() => prisma.budget.findMany({ where }));
  const views = new Map(found.map((budget) => [budget.rootId, viewOf(budget)]));
  return new Map(
    [...roots].flatMap(([id, rootId]) => {
      const view = views.get(rootId);
      return view ? [[id, view] as const] : [];
    }),
  );
}

/** The project at the root of each one's family. Families are a few generations deep: one question for each. */
export async function rootsOf(prisma: Prisma, rows: readonly Line[]): Promise<ReadonlyMap<string, string>> {
  const above = new Map(rows.map(({ id, parentId }) => [id, parentId]));
  const unknown = (): string[] =>
    [...new Set(above.values())].filter((id) => id !== null).filter((id) => !above.has(id));
  for (let ids = unknown(); ids.length > 0; ids = unknown()) {
    const where = { id: { in: ids } };
    const parents = await asked(() => prisma.project.findMany({ where, select: { id: true, parentId: true } }));
    for (const id of ids) above.set(id, parents.find((parent) => parent.id === id)?.parentId ?? null);
  }
  const rootOf = (id: string): string => {
    const parent = above.get(id);
    return parent === null || parent === undefined ? id : rootOf(parent);
  };
  return new Map(rows.map(({ id }) => [id, rootOf(id)]));
}

const viewOf = (budget: BudgetModel): NonNullable<Project['budget']> => ({
  usd: {
    cap: budget.capNano === null ? null : usdOf(budget.capNano),
    used: usdOf(budget.usedNano),
    reserved: usdOf(budget.reservedNano),
  },
  tokens: { cap: budget.capTokens === null ? null : Number(budget.capTokens), used: Number(budget.usedTokens) },
});
