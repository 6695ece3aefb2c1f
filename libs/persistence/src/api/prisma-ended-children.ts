import { readBody } from '#checkpoints';
import type { Json } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import { contextsOf } from './prisma-contexts.js';
import { ENDED } from './project-row.js';

/** A child that has ended, and that its parent has not made anything of yet. */
export interface EndedChild {
  readonly key: string;
  /** Its context key `result`; null where it set none. */
  readonly result: Json;
  /** The visit that it was started in has been left: it may have been told to stop. */
  readonly isLeft: boolean;
}

/** Those that were started in the visit that the newest checkpoint is in, or in the one before. */
export async function endedChildrenOf(
  prisma: Prisma,
  { id, version }: Pick<ProjectModel, 'id' | 'version'>,
): Promise<readonly EndedChild[]> {
  const where = { projectId_seq: { projectId: id, seq: version } };
  const link = await asked(() => prisma.checkpoint.findUnique({ where, select: { body: true } }));
  const body = link && readBody(link);
  if (!body) return [];
  const { incarnation, visit } = body;
  const rows = await asked(() =>
    prisma.project.findMany({
      where: {
        parentId: id,
        parentIncarnation: incarnation,
        parentVisit: { in: [visit - 1, visit] },
        status: { in: [...ENDED] },
      },
      select: { id: true, version: true, parentKey: true, parentVisit: true },
    }),
  );
  const contexts = await contextsOf(prisma, rows, ['result']);
  return rows.flatMap(({ id: child, parentKey: key, parentVisit }) => {
    const result = contexts.get(child)?.['result'] ?? null;
    return key === null ? [] : [{ key, result, isLeft: parentVisit !== visit }];
  });
}
