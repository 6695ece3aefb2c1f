/**
 * The reservations of many calls in one statement. The rows of their budgets are locked first, always in the same
 * order, so no two statements, of whatever process, decide about the same money at once; what a statement reads of a
 * row that it waited for is the row's newest version.
 *
 * A call whose lease is gone, or whose project has no budget, gets no row. Of the calls that fit as things stand those
 * are admitted, in order, that also fit together; the others hear that they would have fitted, and ask again.
 */
const inputs = `unnest($1::int[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::text[], $8::text[],
    $9::text[], $10::int[], $11::text[], $12::text[], $13::text[], $14::int[], $15::text[], $16::int[],
    $17::text[]::bigint[], $18::text[]::bigint[], $19::text[], $20::text[])
    AS i(item, id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider, model,
      simulated, effect_key, run, nano, tokens, price_version, trace_id)`;

const account = `account AS MATERIALIZED (
  SELECT * FROM budget WHERE root_id = ANY($3::uuid[]) ORDER BY root_id FOR UPDATE
)`;

/** Compared in a way that no index serves: there is one project of each id, but many that a worker holds. */
const held = `held AS MATERIALIZED (
  SELECT i.*, a.cap_nano, a.cap_tokens, a.used_nano, a.used_tokens, a.reserved_nano, a.reserved_tokens
  FROM account a JOIN ${inputs} USING (root_id) JOIN project p ON p.id = i.project_id
  WHERE p.lease_epoch = i.epoch AND p.lease_worker IS NOT DISTINCT FROM i.worker_id FOR KEY SHARE OF p
)`;

/** Whether calls of earlier runs were lost makes no difference here: what they reserved is used now. */
const admitted = `judged AS MATERIALIZED (
  SELECT *, COALESCE(used_nano + reserved_nano + nano <= cap_nano, true)
    AND COALESCE(used_tokens + reserved_tokens + tokens <= cap_tokens, true) AS fits
  FROM held
), ranked AS MATERIALIZED (
  SELECT *, fits AND COALESCE(used_nano + reserved_nano + sum(nano) FILTER (WHERE fits) OVER up_to_it <= cap_nano, true)
    AND COALESCE(used_tokens + reserved_tokens + sum(tokens) FILTER (WHERE fits) OVER up_to_it <= cap_tokens, true)
    AS is_admitted
  FROM judged WINDOW up_to_it AS (PARTITION BY root_id ORDER BY item)
), inserted AS (
  INSERT INTO model_call (id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider,
    model, simulated, effect_key, run, reserved_nano, reserved_tokens, price_version, trace_id, status)
  SELECT id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider, model,
    simulated = 1, effect_key, run, nano, tokens, price_version, trace_id, 'open'
  FROM ranked WHERE is_admitted
  ON CONFLICT (id) DO NOTHING
  RETURNING root_id, reserved_nano AS nano, reserved_tokens AS tokens
)`;

const answer = (shiftedNano: string, shiftedTokens: string, more: string): string => `
SELECT r.item, r.fits, r.is_admitted AS "isAdmitted", r.cap_nano AS "capNano", r.cap_tokens AS "capTokens",
  r.used_nano + ${shiftedNano} AS "usedNano", r.used_tokens + ${shiftedTokens} AS "usedTokens",
  r.reserved_nano - ${shiftedNano} AS "reservedNano", r.reserved_tokens - ${shiftedTokens} AS "reservedTokens"
FROM ranked r ${more}`;

/** For calls of effects that run for the first time. */
export const RESERVE = {
  name: 'ledger-reserve',
  text: `
WITH ${account}, ${held}, ${admitted}, charged AS (
  UPDATE budget b SET reserved_nano = b.reserved_nano + m.nano, reserved_tokens = b.reserved_tokens + m.tokens
  FROM (SELECT root_id, sum(nano) AS nano, sum(tokens) AS tokens FROM inserted GROUP BY root_id) AS m
  WHERE b.root_id = m.root_id
) ${answer('0', '0', '')}`,
};

/** Open calls of earlier runs of the same effect are lost: their reservations become used. */
export const RESERVE_AGAIN = {
  name: 'ledger-reserve-again',
  text: `
WITH ${account}, ${held}, lost AS (
  UPDATE model_call c SET status = 'lost', counted_nano = c.reserved_nano, counted_tokens = c.reserved_tokens,
    estimate_error_nano = 0
  FROM held h
  WHERE h.run > 1 AND c.status = 'open' AND c.project_id = h.project_id AND c.effect_key = h.effect_key
    AND c.run < h.run
  RETURNING c.root_id, c.reserved_nano AS nano, c.reserved_tokens AS tokens
), shifted AS (
  SELECT root_id, sum(nano)::bigint AS nano, sum(tokens)::bigint AS tokens FROM lost GROUP BY root_id
), ${admitted}, charged AS (
  UPDATE budget b SET reserved_nano = b.reserved_nano + m.nano, reserved_tokens = b.reserved_tokens + m.tokens,
    used_nano = b.used_nano + m.lost_nano, used_tokens = b.used_tokens + m.lost_tokens
  FROM (
    SELECT root_id, sum(nano) AS nano, sum(tokens) AS tokens, sum(lost_nano) AS lost_nano, sum(lost_tokens) AS lost_tokens
    FROM (
      SELECT root_id, nano, tokens, 0 AS lost_nano, 0 AS lost_tokens FROM inserted
      UNION ALL SELECT root_id, -nano, -tokens, nano, tokens FROM lost
    ) AS each GROUP BY root_id
  ) AS m
  WHERE b.root_id = m.root_id
) ${answer('COALESCE(s.nano, 0)', 'COALESCE(s.tokens, 0)', 'LEFT JOIN shifted s USING (root_id)')}`,
};
