import { decodeTimeCursor, type PageQuery } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import { NOTABLE } from '../projects/notable.js';
import { asked, type Prisma } from './prisma-client.js';

/**
 * The events since which a project waits as it does: it came to a gate, or to something else that a person is asked, or
 * was brought back there. Notes, commands and checkpoints of the time since do not count.
 */
export const OPENS = String.raw`${NOTABLE} AND events ~ '\["(gate\.opened|project\.waits|project\.held|checkpoint\.restored)",\{'`;

export const OPENED_OF = `
SELECT p.id, g.at AS "openedAt" FROM unnest($1::uuid[]) AS p(id) JOIN LATERAL (
  SELECT at FROM event_group WHERE project_id = p.id AND ${OPENS} ORDER BY seq DESC LIMIT 1
) g ON true`;

/** $1 and $2: the time and the project that the page begins behind; $3: how many. */
export const LONGEST_WAITS = `
SELECT id, "openedAt" FROM (
  SELECT p.id, COALESCE(g.at, p.created_at) AS "openedAt" FROM project p LEFT JOIN LATERAL (
    SELECT at FROM event_group WHERE project_id = p.id AND ${OPENS} ORDER BY seq DESC LIMIT 1
  ) g ON true WHERE p.status IN ('waiting', 'blocked')
) waits
WHERE ("openedAt", id) > ($1::timestamptz, $2::uuid)
ORDER BY "openedAt", id LIMIT $3`;

export interface Opened {
  readonly id: string;
  readonly openedAt: Date;
}

/** Since when each of these projects waits as it does. One that began so waits since then. */
export async function openedOf(
  prisma: Prisma,
  rows: readonly Pick<ProjectModel, 'id' | 'createdAt'>[],
): Promise<(row: Pick<ProjectModel, 'id' | 'createdAt'>) => Date> {
  const ids = rows.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await asked(() => prisma.$queryRawUnsafe<Opened[]>(OPENED_OF, ids));
  const times = new Map(found.map(({ id, openedAt }) => [id, openedAt]));
  return ({ id, createdAt }) => times.get(id) ?? createdAt;
}

/** The projects that wait for a person, longest wait first, one more than a page has where there are more. */
export async function longestWaits(prisma: Prisma, { cursor, limit }: PageQuery): Promise<readonly Opened[]> {
  const { at, id } = cursor === undefined ? { at: new Date(0), id: NO_ID } : decodeTimeCursor(cursor);
  return asked(() => prisma.$queryRawUnsafe<Opened[]>(LONGEST_WAITS, at, id, limit + 1));
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
