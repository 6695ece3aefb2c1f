import { readBody } from '#checkpoints';
import type { Gate } from '#contracts';
import type { SignalBody } from '#engine';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import { waitOf } from './project-row.js';

type Decided = NonNullable<Gate['decided']>;

/**
 * What was decided at the gates at which these projects stand and has yet to be taken up, as while they are paused. Of
 * several about one question the first counts; one about an earlier time that it was asked decides nothing.
 */
export async function decidedAt(
  prisma: Prisma,
  rows: readonly ProjectModel[],
): Promise<(row: ProjectModel, gate: string) => Decided | null> {
  // Bodies are canonical, so the text narrows it down; what a sender says may quote it, so the body decides.
  const where = { projectId: { in: rows.map(({ id }) => id) }, consumedVersion: null, body: { contains: '"kind":"decision"' } }; // prettier-ignore
  const signals =
    rows.length === 0 ? [] : await asked(() => prisma.signal.findMany({ where, orderBy: { seq: 'asc' } }));
  const waiting = signals.map(({ body, ...signal }) => ({ ...signal, said: JSON.parse(body) as SignalBody }));
  const ids = new Set(signals.map(({ projectId }) => projectId));
  const visits = await visitsOf(
    prisma,
    rows.filter(({ id }) => ids.has(id)),
  );
  return (row, gate) => {
    const wait = waitOf(row);
    const effect = wait?.kind === 'effect' ? wait['key'] : undefined;
    for (const { projectId, by, createdAt, said } of waiting) {
      if (projectId !== row.id || said.kind !== 'decision') continue;
      if (said.gate !== gate || said.visit !== visits.get(row.id) || said.effect !== effect) continue;
      return { decision: said.decision, by: by === 'human' ? 'human' : 'service', at: createdAt.toISOString() };
    }
    return null;
  };
}

/** How often each has entered a state: what tells one asking of a question from the next. */
async function visitsOf(prisma: Prisma, rows: readonly ProjectModel[]): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const where = { OR: rows.map(({ id, version }) => ({ projectId: id, seq: version })) };
  const links = await asked(() => prisma.checkpoint.findMany({ where }));
  return new Map(links.flatMap((link) => {
    const body = readBody(link);
    return body ? [[link.projectId, body.visit] as const] : [];
  })); // prettier-ignore
}
