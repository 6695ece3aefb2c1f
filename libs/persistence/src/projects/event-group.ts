import type pg from 'pg';
import { type JsonObject, secrets, storableJson } from '#kernel';
import type { NewEvent } from '#engine';

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
