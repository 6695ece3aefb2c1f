/** What becomes of the budgets when calls are settled: their reservations go, what they counted is used. */
const charge = `
), moved AS (
  SELECT root_id, sum(reserved_nano) AS reserved_nano, sum(reserved_tokens) AS reserved_tokens,
    sum(counted_nano) AS counted_nano, sum(counted_tokens) AS counted_tokens
  FROM settled GROUP BY root_id
), charged AS (
  UPDATE budget b SET
    reserved_nano = b.reserved_nano - m.reserved_nano, reserved_tokens = b.reserved_tokens - m.reserved_tokens,
    used_nano = b.used_nano + m.counted_nano, used_tokens = b.used_tokens + m.counted_tokens
  FROM moved m WHERE b.root_id = m.root_id
)`;
const returned = 'c.id, c.root_id, c.reserved_nano, c.reserved_tokens, c.counted_nano, c.counted_tokens';

/** Many calls in one statement. Locks as RESERVE does, budgets first. A call that is settled already stays as it is. */
export const SETTLE = {
  name: 'ledger-settle',
  text: `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
    $9::text[]::bigint[], $10::text[]::bigint[], $11::text[]::bigint[], $12::int[], $13::text[], $14::text[])
    AS i(id, root_id, status, input, output, cache_read, cache_write, reasoning, cost_nano, counted_nano,
      counted_tokens, duration_ms, answered_by, error_code)
), account AS MATERIALIZED (
  SELECT root_id FROM budget WHERE root_id = ANY($2::uuid[]) ORDER BY root_id FOR UPDATE
), settled AS (
  UPDATE model_call c SET status = w.status, input = w.input, output = w.output, cache_read = w.cache_read,
    cache_write = w.cache_write, reasoning = w.reasoning, cost_nano = w.cost_nano, counted_nano = w.counted_nano,
    counted_tokens = w.counted_tokens, duration_ms = w.duration_ms, answered_by = w.answered_by,
    error_code = w.error_code, estimate_error_nano = GREATEST(w.counted_nano - c.reserved_nano, 0)
  FROM account a JOIN wanted w USING (root_id) WHERE c.id = w.id AND c.status = 'open'
  RETURNING ${returned} ${charge}
SELECT 1`,
};

/** Open calls of workers that are not alive, or do not hold the project as they did: nobody will settle them. */
export const SWEEP_LOST = `
WITH abandoned AS MATERIALIZED (
  SELECT c.id, c.root_id FROM model_call c
  WHERE c.status = 'open' AND NOT EXISTS (
    SELECT 1 FROM project p JOIN worker w ON w.id = p.lease_worker AND w.alive_until > now()
    WHERE p.id = c.project_id AND p.lease_worker = c.worker_id AND p.lease_epoch = c.epoch
  )
), account AS MATERIALIZED (
  SELECT root_id FROM budget WHERE root_id IN (SELECT root_id FROM abandoned) ORDER BY root_id FOR UPDATE
), settled AS (
  UPDATE model_call c SET status = 'lost', counted_nano = c.reserved_nano, counted_tokens = c.reserved_tokens,
    estimate_error_nano = 0
  FROM account a JOIN abandoned o USING (root_id) WHERE c.id = o.id AND c.status = 'open'
  RETURNING ${returned} ${charge}
SELECT id, root_id AS "rootId" FROM settled`;
