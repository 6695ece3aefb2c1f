/** What is still to be sent to an endpoint that nothing is sent to. */
const ended = (why: string): string => `outcome = 'failed', reason = 'the endpoint was disabled: ' || ${why},
  finished_at = now()`;
/** However many there are, each statement ends within its time. */
const ENDED_AT_ONCE = 5_000;

/**
 * Takes what is due: $1 most in all, $2 most per endpoint, $3 and $4 how many of which endpoint are under way here,
 * $5 the lease in ms. A row that another process takes at the same moment is passed over; one that was taken is due
 * again when its lease is over, which is all it takes to survive whoever took it. The endpoint with the least under way
 * comes first: a few that hang with much to be sent would else have every place that gets free. Of one that rests only
 * what a person wants sent is taken, and after its rest one at a time, until something arrives.
 * `waiting` goes from one endpoint to the next in the index: to look must not cost more the more there is to be sent.
 * Whatever was told to an endpoint in the moment in which it was disabled is found here, and ended.
 */
export const CLAIM_DELIVERIES = `
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, due_at FROM webhook_delivery WHERE outcome = 'pending' ORDER BY endpoint_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.due_at FROM waiting CROSS JOIN LATERAL (
    SELECT endpoint_id, due_at FROM webhook_delivery
    WHERE outcome = 'pending' AND endpoint_id > waiting.endpoint_id ORDER BY endpoint_id, due_at LIMIT 1
  ) next
), ready AS MATERIALIZED (
  SELECT e.id, CASE WHEN e.rests_until > now() THEN '-infinity' ELSE now() END AS until,
    GREATEST(0, CASE WHEN e.rests_until <= now() THEN 1 ELSE $2::int END - COALESCE(b.count, 0)) AS room
  FROM waiting
  JOIN webhook_endpoint e ON e.id = waiting.endpoint_id AND e.enabled
  LEFT JOIN unnest($3::uuid[], $4::int[]) AS b(id, count) ON b.id = e.id
  WHERE waiting.due_at <= now()
  ORDER BY COALESCE(b.count, 0), random()
), due AS MATERIALIZED (
  SELECT d.id FROM ready
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = ready.id AND outcome = 'pending' AND due_at <= ready.until
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
), unwanted AS MATERIALIZED (
  SELECT d.id, e.disabled_reason FROM waiting
  JOIN webhook_endpoint e ON e.id = waiting.endpoint_id AND NOT e.enabled
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = e.id AND outcome = 'pending' LIMIT ${String(ENDED_AT_ONCE)} FOR UPDATE SKIP LOCKED
  ) d
), ended AS (
  UPDATE webhook_delivery d SET ${ended('unwanted.disabled_reason')} FROM unwanted WHERE d.id = unwanted.id
)
SELECT t.id, t.endpoint_id, t.type, t.created_at, t.details, t.attempts, t.tries, t.version, t.event_seq,
  t.project_state, t.project_status, e.url, e.secret,
  (e.failing_since IS NOT NULL OR e.rests_until IS NOT NULL) AS unwell,
  CASE WHEN e.previous_until > now() THEN e.previous_secret END AS previous_secret,
  p.id AS project_id, p.name, p.mode, p.traceparent
FROM taken t JOIN webhook_endpoint e ON e.id = t.endpoint_id LEFT JOIN project p ON p.id = t.project_id`;

const attempted = `attempted AS (
  UPDATE webhook_attempt SET status = $3, error = $4, ms = $5 WHERE delivery_id = $1 AND number = $2
)`;

/** However late it is known: what arrived has arrived, unless a person has asked since that it be sent once more. */
export const DELIVERED = `
WITH ${attempted}
UPDATE webhook_delivery SET outcome = 'delivered', reason = NULL, finished_at = now()
WHERE id = $1 AND $2 > attempts - tries`;

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

/** $1 endpoint, $2 why: nothing is sent there any more. */
export const DISABLE = `
UPDATE webhook_endpoint SET enabled = false, disabled_reason = $2::text, updated_at = now() WHERE id = $1`;

/** $1 endpoint, $2 why: what was to be sent there is listed as given up. What is more than a portion is ended by CLAIM. */
export const END_PENDING = `
UPDATE webhook_delivery SET ${ended('$2::text')}
WHERE id IN (
  SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND outcome = 'pending' LIMIT ${String(ENDED_AT_ONCE)}
)`;

const forgotten = (which: string, before = 'WITH'): string => `
${before} old AS (
  DELETE FROM webhook_delivery WHERE id IN (${which} LIMIT $1 FOR UPDATE OF d SKIP LOCKED) RETURNING id
), attempts AS (
  DELETE FROM webhook_attempt WHERE delivery_id IN (SELECT id FROM old)
)
SELECT count(*)::int AS count FROM old`;

/** $1 most at once, $2 days. */
export const FORGET_OLD = forgotten(`
  SELECT d.id FROM webhook_delivery d WHERE d.finished_at < now() - $2::int * interval '1 day'`);

/** $1 most at once: what was told to endpoints that are no more, be it in the moment in which they were removed. */
export const FORGET_ORPHANS = forgotten(
  'SELECT d.id FROM webhook_delivery d JOIN orphans USING (endpoint_id)',
  `
WITH RECURSIVE told AS (
  (SELECT endpoint_id FROM webhook_delivery ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id FROM told CROSS JOIN LATERAL (
    SELECT endpoint_id FROM webhook_delivery WHERE endpoint_id > told.endpoint_id ORDER BY endpoint_id LIMIT 1
  ) next
), orphans AS MATERIALIZED (
  SELECT endpoint_id FROM told WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.id = told.endpoint_id)
),`,
);

/** $1 days: endpoints of single projects that have ended and have nothing left to tell. */
export const FORGET_ENDPOINTS = `
DELETE FROM webhook_endpoint e USING project p
WHERE p.id = e.project_id AND p.status IN ('completed', 'aborted', 'failed')
  AND p.updated_at < now() - $1::int * interval '1 day'
  AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id)`;

/** What signs nothing any more is of use to nobody but a thief. */
export const FORGET_SECRETS = `
UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL WHERE previous_until < now()`;
