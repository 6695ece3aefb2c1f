import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import { hasEndedStatus } from './project-row.js';

/** When a project's timer of this event fires; the empty event wakes an activity that waits, the others pause with it. */
export type FiresAt = (event: string) => Date | null;

/** The timers of a page of projects, by project. */
export async function timersOf(prisma: Prisma, rows: readonly ProjectModel[]): Promise<(id: string) => FiresAt> {
  const ids = rows.filter((row) => !hasEndedStatus(row.status)).map(({ id }) => id);
  const where = { projectId: { in: ids } };
  // One that an earlier visit to the state set may still be there: the newest counts.
  const orderBy = { visit: 'desc' as const };
  const timers = ids.length === 0 ? [] : await asked(() => prisma.timer.findMany({ where, orderBy }));
  const still = new Set(rows.filter(({ status }) => status === 'paused').map(({ id }) => id));
  const isStill = (id: string, event: string): boolean => event !== '' && still.has(id);
  return (id) => (event) =>
    isStill(id, event)
      ? null
      : (timers.find((timer) => timer.projectId === id && timer.event === event)?.fireAt ?? null);
}
