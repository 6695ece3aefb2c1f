import type pg from 'pg';
import { storableJson } from '#kernel';
import type { NewEvent } from '#engine';

/** Events that no lease holder writes: what the API or a check did to a project. */
export async function appendEvents(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  projectId: string,
  events: readonly NewEvent[],
): Promise<void> {
  await client.query(
    `WITH target AS (
       UPDATE project SET event_seq = event_seq + $4::int WHERE id = $1 RETURNING id, event_seq - $4::int AS base, version
     )
     INSERT INTO event (project_id, seq, version, type, data)
     SELECT t.id, t.base + e.nth, t.version, e.type, e.data
     FROM target t, unnest($2::text[], $3::text[]) WITH ORDINALITY AS e(type, data, nth)`,
    [projectId, events.map((event) => event.type), events.map((event) => storableJson(event.data)), events.length],
  );
}
