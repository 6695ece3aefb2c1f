import type pg from 'pg';
import { type JsonObject, secrets, storableJson } from '#kernel';
import type { NewEvent } from '#engine';
import { inTransaction } from './pool.js';

type Pair = [type: string, data: JsonObject];

/**
 * The events that one write told, as one row has them: a row and an index entry each would cost more than the events.
 * The row's number is that of its last event. Whoever writes one comes through here: no secret gets past.
 */
export const eventsText = (events: readonly NewEvent[]): string =>
  secrets.redactJsonText(storableJson(events.map(({ type, data }): Pair => [type, data])));

/** The events of a row with their numbers. */
export function numberedEvents(group: {
  readonly seq: number;
  readonly events: string;
}): { seq: number; type: string; data: JsonObject }[] {
  const pairs = JSON.parse(group.events) as Pair[];
  return pairs.map(([type, data], nth) => ({ seq: group.seq - pairs.length + 1 + nth, type, data }));
}

/** Events that no lease holder writes: what the API or a check did to a project. */
export async function appendEvents(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  projectId: string,
  events: readonly NewEvent[],
): Promise<void> {
  await client.query(
    `WITH target AS (
       UPDATE project SET event_seq = event_seq + $2::int WHERE id = $1 RETURNING id, event_seq, version
     )
     INSERT INTO event_group (project_id, seq, version, events) SELECT id, event_seq, version, $3 FROM target`,
    [projectId, events.length, eventsText(events)],
  );
}

/** An answer that was lost is asked for again soon: what is older than so many rows is not looked through. */
const MOST_ROWS = 1_000;

/** Like `appendEvents`, for what names its operation by `id`: one that is repeated is told of once. */
export async function appendEventOnce(
  pool: pg.Pool,
  projectId: string,
  event: NewEvent & { readonly data: { readonly id: string } },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Whoever tells of the same operation waits here: the look that follows sees what the one before has told.
    await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [projectId]);
    const { rows } = await client.query<{ seq: number; events: string }>(
      `SELECT seq, events FROM (
         SELECT seq, events FROM event_group WHERE project_id = $1 ORDER BY seq DESC LIMIT ${String(MOST_ROWS)}
       ) newest WHERE strpos(events, $2) > 0`,
      [projectId, storableJson(event.data.id)],
    );
    const isSame = ({ type, data }: NewEvent): boolean => type === event.type && data['id'] === event.data.id;
    if (!rows.flatMap(numberedEvents).some(isSame)) await appendEvents(client, projectId, [event]);
  });
}
