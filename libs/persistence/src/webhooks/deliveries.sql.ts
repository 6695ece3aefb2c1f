/**
 * Takes what is due: $1 most in all, $2 most per endpoint, $3 and $4 how many of which endpoint are under way here,
 * $5 the lease in ms. A row that another process takes at the same moment is passed over; one that was taken is due
 * again when its lease is over, which is all it takes to survive whoever took it. The endpoint with the least under way
 * comes first: a few that hang with much to be sent would else have every place that gets free.
 */
export const CLAIM_DELIVERIES = `
WITH waiting AS (
  SELECT DISTINCT endpoint_id FROM webhook_delivery WHERE outcome = 'pending' AND due_at <= now()
), ready AS MATERIALIZED (
  SELECT e.id, GREATEST(0, $2::int - COALESCE(b.count, 0)) AS room
  FROM waiting
  JOIN webhook_endpoint e ON e.id = waiting.endpoint_id AND e.enabled AND (e.rests_until IS NULL OR e.rests_until <= now())
  LEFT JOIN unnest($3::uuid[], $4::int[]) AS b(id, count) ON b.id = e.id
  ORDER BY COALESCE(b.count, 0), random()
), due AS MATERIALIZED (
  SELECT d.id FROM ready
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = ready.id AND outcome = 'pending' AND due_at <= now()
    ORDER BY due_at LIMIT ready.room FOR UPDATE SKIP LOCKED
  ) d
  LIMIT $1
), taken AS (
  UPDATE webhook_delivery d
  SET attempts = d.attempts + 1, tries = d.tries + 1, due_at = now() + $5::int * interval '1 millisecond'
  FROM due WHERE d.id = due.id
  RETURNING d.*
), noted AS (
  INSERT INTO webhook_attempt (delivery_id, number) SELECT id, attempts FROM taken
)
SELECT t.id, t.endpoint_id, t.type, t.created_at, t.details, t.attempts, t.tries, t.version, t.event_seq,
  t.project_state, t.project_status, e.url, e.secret, e.failing_since IS NOT NULL AS failing,
  CASE WHEN e.previous_until > now() THEN e.previous_secret END AS previous_secret,
  p.id AS project_id, p.name, p.mode, p.traceparent
FROM taken t JOIN webhook_endpoint e ON e.id = t.endpoint_id LEFT JOIN project p ON p.id = t.project_id`;

const attempted = `attempted AS (
  UPDATE webhook_attempt SET status = $3, error = $4, ms = $5 WHERE delivery_id = $1 AND number = $2
)`;

/** However late it is known: what arrived has arrived. */
export const DELIVERED = `
WITH ${attempted}
UPDATE webhook_delivery SET outcome = 'delivered', reason = NULL, finished_at = now() WHERE id = $1`;

/** Neither has another process begun an attempt meanwhile, nor has a person asked for one: then that one decides. */
const isStillOurs = `id = $1 AND outcome = 'pending' AND attempts = $2 AND tries > 0`;

/** $6 ms until the next attempt. */
export const RETRIED = `
WITH ${attempted}
UPDATE webhook_delivery SET due_at = now() + $6::int * interval '1 millisecond'
WHERE ${isStillOurs}`;

/** $6 why. */
export const GIVEN_UP = `
WITH ${attempted}
UPDATE webhook_delivery SET outcome = 'failed', reason = $6, finished_at = now()
WHERE ${isStillOurs}
RETURNING id`;

/** $1 endpoint, $2 why: nothing is sent there, and what was to be is listed as given up. */
export const DISABLE = `
WITH off AS (
  UPDATE webhook_endpoint SET enabled = false, disabled_reason = $2::text, updated_at = now() WHERE id = $1
)
UPDATE webhook_delivery SET outcome = 'failed', reason = 'the endpoint was disabled: ' || $2::text, finished_at = now()
WHERE endpoint_id = $1 AND outcome = 'pending'`;

/**
 * $1 days, $2 most at once. What was told to an endpoint in the moment in which it was removed goes too, and the
 * endpoints of single projects that have ended and have nothing left to tell.
 */
export const SWEEP = `
WITH old AS (
  DELETE FROM webhook_delivery WHERE id IN (
    SELECT d.id FROM webhook_delivery d
    WHERE (d.outcome <> 'pending' AND d.finished_at < now() - $1::int * interval '1 day')
      OR NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.id = d.endpoint_id)
    LIMIT $2
  )
  RETURNING id
), attempts AS (
  DELETE FROM webhook_attempt WHERE delivery_id IN (SELECT id FROM old)
), endpoints AS (
  DELETE FROM webhook_endpoint e USING project p
  WHERE p.id = e.project_id AND p.status IN ('completed', 'aborted', 'failed')
    AND p.updated_at < now() - $1::int * interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.id NOT IN (SELECT id FROM old))
)
SELECT count(*)::int AS count FROM old`;
