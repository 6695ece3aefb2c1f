import type pg from 'pg';
import type { Announcement } from '#engine';
import { secrets, storableJson } from '#kernel';
import { rootOf } from '../ledger/budget-rows.js';
import { ANNOUNCE, ANNOUNCE_ONCE } from './announce.sql.js';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** As events are: no secret gets past. */
export const detailsText = ({ data }: Announcement): string => secrets.redactJsonText(storableJson(data));

/** For changes that no lease holder writes, within their transaction. */
export async function announce(client: Client, projectId: string, told: readonly Announcement[]): Promise<void> {
  if (told.length === 0) return;
  await client.query(ANNOUNCE, [projectId, told.map(({ type }) => type), told.map(detailsText)]);
}

/** Both what is told of the project itself and what is told once, of the project that no other started. */
export async function announceAll(
  client: pg.PoolClient,
  projectId: string,
  told: readonly Announcement[],
): Promise<void> {
  await announce(client, projectId, told.filter(({ isOnce }) => isOnce !== true)); // prettier-ignore
  await announceOnce(client, projectId, told.filter(({ isOnce }) => isOnce)); // prettier-ignore
}

/** What many agents meet at once, in a project or in its children, is told once, and of the project. */
export async function announceOnce(
  client: pg.PoolClient,
  projectId: string,
  told: readonly Announcement[],
): Promise<void> {
  if (told.length === 0) return;
  const rootId = await rootOf(client, projectId);
  if (rootId === null) return;
  // Not the project's row: its own holder locks that one first, and then those of its children.
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`announce/${rootId}`]);
  const news = new Map(told.map((one) => [`${one.type} ${detailsText(one)}`, one]));
  const unlike = [...news.values()];
  await client.query(ANNOUNCE_ONCE, [rootId, unlike.map(({ type }) => type), unlike.map(detailsText)]);
}
