import type pg from 'pg';
import { storableJson, UserError } from '#kernel';
import type { NewEvent, PrincipalKind, SignalBody } from '#engine';
import { eventsText } from './event-group.js';
import { pendingDecision } from './gate-history.js';
import { inTransaction } from './pool.js';

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
    'id' in body ? body.id : null,
  ]);
  return rows[0]?.seq ?? null;
}

/** An inbox is emptied at the next safe point: whoever finds it full need not ask sooner. */
const FULL_FOR_S = 5;

/**
 * Like `sendSignal`, and does nothing where a signal of the same id was sent before, or is being sent by another. Refused
 * where `most` from outside wait already, unless it is ABORT: of that one waits at a time.
 */
export async function sendSignalOnce(
  pool: pg.Pool,
  to: string,
  by: PrincipalKind,
  body: SignalBody & { readonly id: string },
  event: NewEvent,
  most: number,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Whoever sends to this project waits here: the look that follows sees what the one before has sent.
    await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [to]);
    if (await wasSent(client, to, body.id)) return;
    const isExempt = body.kind === 'command' && body.command === 'ABORT';
    if (!isExempt && (await waiting(client, to)) >= most) throw inboxFull(most);
    await sendSignal(client, to, by, body, event);
  });
}

async function waiting(client: pg.PoolClient, projectId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM signal WHERE project_id = $1 AND consumed_version IS NULL AND by <> 'engine'`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

const inboxFull = (most: number): UserError =>
  new UserError(
    'INBOX_FULL',
    `${String(most)} commands wait to be obeyed by the project already: send it again when some have been`,
    { most, retryAfterS: FULL_FOR_S },
  );

export type DecisionSent =
  | { readonly kind: 'sent' }
  /** Somebody else's decision about the same question waits already. */
  | { readonly kind: 'decided'; readonly id: string | undefined; readonly decision: string }
  /** The project is not at the checkpoint any more that the decision was found to be in order at. */
  | { readonly kind: 'moved' };

/**
 * Like `sendSignalOnce`, for a decision at the checkpoint `version`. Of several that are made at once about one
 * question, one gets into the inbox.
 */
export async function sendDecisionOnce(
  pool: pg.Pool,
  to: string,
  by: PrincipalKind,
  body: Extract<SignalBody, { kind: 'decision' }> & { readonly id: string },
  event: NewEvent,
  version: number,
): Promise<DecisionSent> {
  return inTransaction(pool, async (client): Promise<DecisionSent> => {
    // Whoever else decides, and the worker that writes what came of it, waits here.
    const { rows } = await client.query<{ version: number }>('SELECT version FROM project WHERE id = $1 FOR UPDATE', [
      to,
    ]);
    if (await wasSent(client, to, body.id)) return { kind: 'sent' };
    const before = await pendingDecision(client, to, body);
    if (before) return { kind: 'decided', id: before.id, decision: before.decision };
    if (rows[0]?.version !== version) return { kind: 'moved' };
    await sendSignal(client, to, by, body, event);
    return { kind: 'sent' };
  });
}

/** Whether a signal of this id is in the project's inbox or has gone through it. */
export async function wasSent(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  projectId: string,
  id: string,
): Promise<boolean> {
  return ((await client.query(WAS_SENT, [projectId, id])).rowCount ?? 0) > 0;
}

export const WAS_SENT = 'SELECT 1 FROM signal WHERE project_id = $1 AND operation = $2 LIMIT 1';

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
INSERT INTO signal (project_id, seq, by, body, operation)
SELECT id, signal_seq, $2, $3, $5 FROM target RETURNING seq`;
