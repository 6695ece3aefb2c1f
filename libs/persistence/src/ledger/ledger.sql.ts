/**
 * The reservations and settlements of many calls in one statement. The rows of their budgets are locked first, always
 * in the same order, so no two statements, of whatever process, decide about the same money at once; what a statement
 * reads of a row that it waited for is the row's newest version.
 *
 * A reservation whose lease is gone, or whose project has no budget, gets no row. Of those that fit as things stand the
 * ones are admitted, in order, that also fit together; the others hear that they would have fitted, and ask again.
 * A call that is settled already stays as it is, unless it was taken for lost.
 */
/** As a question of its own: the planner then takes any batch for the same, and plans once instead of each time. */
const given = (first: number, types: string): string[] =>
  types.split(' ').map((type, nth) => {
    const parameter = `$${String(first + nth)}`;
    return `(SELECT ${parameter}::${type === 'bigint' ? 'text[]::bigint' : type}[])`;
  });

const CALL = 'int uuid uuid uuid text int text text text int text text text int text int bigint bigint text text text';
const wanted = `unnest(${given(1, CALL).join(', ')})
    AS i(item, id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider, model,
      simulated, effect_key, run, nano, tokens, price_version, trace_id, prompt)`;

const account = (roots: string): string => `account AS MATERIALIZED (
  SELECT * FROM budget WHERE root_id = ANY(${roots}) ORDER BY root_id FOR UPDATE
)`;

/** Compared in a way that no index serves: there is one project of each id, but many that a worker holds. */
const held = `held AS MATERIALIZED (
  SELECT i.*, a.cap_nano, a.cap_tokens, a.used_nano, a.used_tokens, a.reserved_nano, a.reserved_tokens
  FROM account a JOIN ${wanted} USING (root_id) JOIN project p ON p.id = i.project_id
  WHERE p.lease_epoch = i.epoch AND p.lease_worker IS NOT DISTINCT FROM i.worker_id FOR KEY SHARE OF p
)`;

const admitted = (from: string): string => `judged AS (
  SELECT item, root_id, nano, tokens, cap_nano, cap_tokens, used_nano, used_tokens, reserved_nano, reserved_tokens,
    COALESCE(used_nano + reserved_nano + nano <= cap_nano, true)
      AND COALESCE(used_tokens + reserved_tokens + tokens <= cap_tokens, true) AS fits
  FROM ${from}
), ranked AS MATERIALIZED (
  SELECT *, fits AND COALESCE(used_nano + reserved_nano + sum(nano) FILTER (WHERE fits) OVER up_to_it <= cap_nano, true)
    AND COALESCE(used_tokens + reserved_tokens + sum(tokens) FILTER (WHERE fits) OVER up_to_it <= cap_tokens, true)
    AS is_admitted
  FROM judged WINDOW up_to_it AS (PARTITION BY root_id ORDER BY item)
), inserted AS (
  INSERT INTO model_call (id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider,
    model, simulated, effect_key, run, reserved_nano, reserved_tokens, price_version, trace_id, prompt, status)
  SELECT h.id, h.root_id, h.project_id, h.worker_id, h.epoch, h.state, h.agent, h.purpose, h.attempt, h.tier,
    h.provider, h.model, h.simulated = 1, h.effect_key, h.run, h.nano, h.tokens, h.price_version, h.trace_id,
    h.prompt, 'open'
  FROM held h WHERE h.item IN (SELECT item FROM ranked WHERE is_admitted)
  ON CONFLICT (id) DO NOTHING
  RETURNING root_id, reserved_nano, reserved_tokens
)`;

const answer = `
SELECT item, fits, is_admitted AS "isAdmitted", cap_nano AS "capNano", cap_tokens AS "capTokens",
  used_nano AS "usedNano", used_tokens AS "usedTokens", reserved_nano AS "reservedNano",
  reserved_tokens AS "reservedTokens"
FROM ranked`;

const closedColumns = 'c.root_id, c.reserved_nano, c.reserved_tokens, c.counted_nano, c.counted_tokens';

const SETTLEMENT = 'uuid uuid text int int int int int bigint bigint bigint int text text';
/**
 * A call that was taken for lost stands in the budget with its reservation as used: who knows what it took replaces
 * that. Its row is locked before its status is believed, as a sweep may have been first.
 */
const settled = (first: number): string => `due AS MATERIALIZED (
  SELECT w.*, c.status = 'lost' AS was_lost
  FROM account a JOIN unnest(${given(first, SETTLEMENT).join(', ')}) AS w(id, root_id, status, input, output, cache_read, cache_write,
    reasoning, cost_nano, counted_nano, counted_tokens, duration_ms, answered_by, error_code) USING (root_id)
    JOIN model_call c ON c.id = w.id
  WHERE c.status = 'open' OR (c.status = 'lost' AND (w.input IS NOT NULL OR w.cost_nano IS NOT NULL))
  FOR UPDATE OF c
), settled AS (
  UPDATE model_call c SET status = w.status, input = w.input, output = w.output, cache_read = w.cache_read,
    cache_write = w.cache_write, reasoning = w.reasoning, cost_nano = w.cost_nano, counted_nano = w.counted_nano,
    counted_tokens = w.counted_tokens, duration_ms = w.duration_ms, answered_by = w.answered_by,
    error_code = w.error_code, estimate_error_nano = GREATEST(w.counted_nano - c.reserved_nano, 0)
  FROM due w WHERE c.id = w.id
  RETURNING c.root_id,
    CASE WHEN w.was_lost THEN 0 ELSE c.reserved_nano END AS reserved_nano,
    CASE WHEN w.was_lost THEN 0 ELSE c.reserved_tokens END AS reserved_tokens,
    c.counted_nano - CASE WHEN w.was_lost THEN c.reserved_nano ELSE 0 END AS counted_nano,
    c.counted_tokens - CASE WHEN w.was_lost THEN c.reserved_tokens ELSE 0 END AS counted_tokens
)`;

const losing = `status = 'lost', counted_nano = c.reserved_nano, counted_tokens = c.reserved_tokens,
    estimate_error_nano = 0`;

/** What becomes of the budgets when calls end: their reservations go, what they counted is used. */
const closed = (from: string): string => `closed AS MATERIALIZED (
  SELECT root_id, sum(reserved_nano)::bigint AS reserved_nano, sum(reserved_tokens)::bigint AS reserved_tokens,
    sum(counted_nano)::bigint AS counted_nano, sum(counted_tokens)::bigint AS counted_tokens
  FROM ${from} GROUP BY root_id
)`;
const release = `charged AS (
  UPDATE budget b SET
    reserved_nano = b.reserved_nano - m.reserved_nano, reserved_tokens = b.reserved_tokens - m.reserved_tokens,
    used_nano = b.used_nano + m.counted_nano, used_tokens = b.used_tokens + m.counted_tokens
  FROM closed m WHERE b.root_id = m.root_id
)`;

/** Reservations of effects that run for the first time. */
export const RESERVE = {
  name: 'ledger-reserve',
  text: `
WITH ${account('(SELECT $3::uuid[])::uuid[]')}, ${held}, ${admitted('held')}, charged AS (
  UPDATE budget b SET reserved_nano = b.reserved_nano + m.nano, reserved_tokens = b.reserved_tokens + m.tokens
  FROM (
    SELECT root_id, sum(reserved_nano) AS nano, sum(reserved_tokens) AS tokens FROM inserted GROUP BY root_id
  ) AS m
  WHERE b.root_id = m.root_id
) ${answer}`,
};

export const SETTLE = {
  name: 'ledger-settle',
  text: `WITH ${account('(SELECT $2::uuid[])::uuid[]')}, ${settled(1)}, ${closed('settled')}, ${release} SELECT 1`,
};

/** Open calls of earlier runs of an effect that asks again are lost: they count in full. */
const lost = `lost AS (
  UPDATE model_call c SET ${losing} FROM held h
  WHERE h.run > 1 AND c.root_id = h.root_id AND c.project_id = h.project_id AND c.effect_key = h.effect_key
    AND c.run < h.run AND c.status = 'open'
  RETURNING ${closedColumns}
), ended AS (
  SELECT * FROM settled UNION ALL SELECT * FROM lost
)`;

const both = (ending: string): string => `
WITH ${account('(SELECT $3::uuid[] || $23::uuid[])::uuid[]')}, ${held}, ${settled(22)}, ${ending}, asking AS (
  SELECT h.item, h.root_id, h.nano, h.tokens, h.cap_nano, h.cap_tokens,
    h.used_nano + COALESCE(c.counted_nano, 0) AS used_nano, h.used_tokens + COALESCE(c.counted_tokens, 0) AS used_tokens,
    h.reserved_nano - COALESCE(c.reserved_nano, 0) AS reserved_nano,
    h.reserved_tokens - COALESCE(c.reserved_tokens, 0) AS reserved_tokens
  FROM held h LEFT JOIN closed c USING (root_id)
), ${admitted('asking')}, charged AS (
  UPDATE budget b SET reserved_nano = b.reserved_nano + m.reserved_nano,
    reserved_tokens = b.reserved_tokens + m.reserved_tokens,
    used_nano = b.used_nano + m.counted_nano, used_tokens = b.used_tokens + m.counted_tokens
  FROM (
    SELECT root_id, sum(reserved_nano) AS reserved_nano, sum(reserved_tokens) AS reserved_tokens,
      sum(counted_nano) AS counted_nano, sum(counted_tokens) AS counted_tokens
    FROM (
      SELECT root_id, reserved_nano, reserved_tokens, 0 AS counted_nano, 0 AS counted_tokens FROM inserted
      UNION ALL SELECT root_id, -reserved_nano, -reserved_tokens, counted_nano, counted_tokens FROM closed
    ) AS each GROUP BY root_id
  ) AS m
  WHERE b.root_id = m.root_id
) ${answer}`;

/** The settlements first. */
export const RESERVE_AND_SETTLE = { name: 'ledger-reserve-and-settle', text: both(closed('settled')) };

/** For effects that run again. Rare, and not for every batch: it has to look for what earlier runs left open. */
export const RESERVE_AGAIN = { name: 'ledger-reserve-again', text: both(`${lost}, ${closed('ended')}`) };

/** Open calls of workers that are not alive, or do not hold the project as they did: nobody will settle them. */
export const SWEEP_LOST = `
WITH abandoned AS MATERIALIZED (
  SELECT c.id, c.root_id FROM budget b JOIN model_call c USING (root_id)
  WHERE (b.reserved_nano > 0 OR b.reserved_tokens > 0) AND c.status = 'open' AND NOT EXISTS (
    SELECT 1 FROM project p JOIN worker w ON w.id = p.lease_worker AND w.alive_until > now()
    WHERE p.id = c.project_id AND p.lease_worker = c.worker_id AND p.lease_epoch = c.epoch
  )
), ${account('ARRAY(SELECT root_id FROM abandoned)')}, settled AS (
  UPDATE model_call c SET ${losing} FROM account a JOIN abandoned o USING (root_id)
  WHERE c.id = o.id AND c.status = 'open'
  RETURNING ${closedColumns}
), ${closed('settled')}, ${release}
SELECT root_id AS "rootId" FROM settled`;
