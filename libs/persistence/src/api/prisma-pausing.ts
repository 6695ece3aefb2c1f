import type { WaitingFor } from '#contracts';
import type { SignalBody } from '#engine';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import type { ChildView } from './prisma-families.js';

/** Since when projects that run are about to pause: of PAUSE and RESUME in their inboxes, the last is a PAUSE. */
export async function pausingAmong(prisma: Prisma, rows: readonly ProjectModel[]): Promise<ReadonlyMap<string, Date>> {
  const ids = rows.filter(({ status }) => status === 'running').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  // Bodies are canonical, so the text narrows it down; what a sender says may quote it, so the body decides.
  const where = { projectId: { in: ids }, consumedVersion: null, body: { contains: '"kind":"command"' } };
  const signals = await asked(() => prisma.signal.findMany({ where, orderBy: { seq: 'asc' } }));
  const since = new Map<string, Date>();
  for (const { projectId, body, createdAt } of signals) {
    const said = JSON.parse(body) as SignalBody;
    if (said.kind !== 'command') continue;
    if (said.command === 'PAUSE') since.set(projectId, since.get(projectId) ?? createdAt);
    if (said.command === 'RESUME') since.delete(projectId);
  }
  return since;
}

/** A step that is to pause goes on to its next safe point, and so do the children of a project that has paused. */
export function pausingView(
  { status, updatedAt }: ProjectModel,
  since: Date | null,
  children: readonly ChildView[],
): WaitingFor | null {
  if (since !== null) return { kind: 'pausing', since: since.toISOString() };
  const underWay = children.filter((child) => child.status === 'running');
  if (status !== 'paused' || underWay.length === 0) return null;
  return { kind: 'pausing', since: updatedAt.toISOString(), children: underWay };
}
