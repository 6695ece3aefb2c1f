import type pg from 'pg';
import { storableJson } from '#kernel';
import type { Command, NewEvent, PrincipalKind, SignalBody } from '#engine';
import { eventsText } from './event-group.js';

/**
 * Puts a signal into a project's inbox, wakes a worker for it, and leaves an event where `event` names one.
 * Returns the signal's number, or null when there is no such project.
 */
export async function sendSignal(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  to: string,
  by: PrincipalKind,
  body: SignalBody,
  event: NewEvent | null = null,
): Promise<number | null> {
  const { rows } = await client.query<{ seq: number }>(SEND, [
    to,
    by,
    storableJson(body),
    event ? eventsText([event]) : null,
  ]);
  return rows[0]?.seq ?? null;
}

/** Whether the command of this id is in the project's inbox or has gone through it. */
export async function wasCommanded(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  projectId: string,
  { id, command }: { readonly id: string; readonly command: Command },
): Promise<boolean> {
  // Bodies are canonical, their keys in order: all but the visit. Read as JSON, one that carries U+0000 would fail.
  const beginning = storableJson({ command, id, kind: 'command' }).slice(0, -1);
  const { rowCount } = await client.query(
    'SELECT 1 FROM signal WHERE project_id = $1 AND starts_with(body, $2) LIMIT 1',
    [projectId, beginning], // prettier-ignore
  );
  return rowCount !== 0;
}

const SEND = `
WITH target AS (
  UPDATE project SET signal_seq = signal_seq + 1, runnable = true,
    event_seq = event_seq + CASE WHEN $4::text IS NULL THEN 0 ELSE 1 END
  WHERE id = $1 RETURNING id, signal_seq, event_seq, version, traceparent
), told AS (
  INSERT INTO event_group (project_id, seq, version, events)
  SELECT id, event_seq, version, $4 FROM target WHERE $4::text IS NOT NULL
), woken AS (
  INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM target
)
INSERT INTO signal (project_id, seq, by, body) SELECT id, signal_seq, $2, $3 FROM target RETURNING seq`;
