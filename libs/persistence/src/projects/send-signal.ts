import type pg from 'pg';
import { storableJson, type Json } from '#kernel';
import type { PrincipalKind, SignalBody } from '#engine';

/**
 * Puts a signal into a project's inbox, wakes a worker for it, and leaves an event where `event` names one.
 * Returns the signal's number, or null when there is no such project.
 */
export async function sendSignal(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  to: string,
  by: PrincipalKind,
  body: SignalBody,
  event: { type: string; data: Json } | null = null,
): Promise<number | null> {
  const { rows } = await client.query<{ seq: number }>(SEND, [
    to,
    by,
    storableJson(body),
    event?.type ?? null,
    event ? storableJson(event.data) : null,
  ]);
  return rows[0]?.seq ?? null;
}

const SEND = `
WITH target AS (
  UPDATE project SET signal_seq = signal_seq + 1, runnable = true,
    event_seq = event_seq + CASE WHEN $4::text IS NULL THEN 0 ELSE 1 END
  WHERE id = $1 RETURNING id, signal_seq, event_seq, version, traceparent
), told AS (
  INSERT INTO event (project_id, seq, version, type, data)
  SELECT id, event_seq, version, $4, $5 FROM target WHERE $4::text IS NOT NULL
), woken AS (
  INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM target
)
INSERT INTO signal (project_id, seq, by, body) SELECT id, signal_seq, $2, $3 FROM target RETURNING seq`;
