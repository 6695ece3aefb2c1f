/**
 * The reservations of many calls in one statement. The rows of their budgets are locked first, always in the same
 * order, so no two statements, of whatever process, decide about the same money at once; what a statement reads of a
 * row that it waited for is the row's newest version.
 *
 * A call is refused where its lease is gone. Open calls of earlier runs of the same effect are lost: their
 * reservations become used. Of the calls that fit as things stand those are admitted, in order, that also fit together;
 * the others hear that they would have fitted, and ask again.
 */
const columns = `item, id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider, model,
  simulated, effect_key, run, nano, tokens, price_version, trace_id`;

export const RESERVE = {
  name: 'ledger-reserve',
  text: `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::text[], $8::text[],
    $9::text[], $10::int[], $11::text[], $12::text[], $13::text[], $14::int[], $15::text[], $16::int[],
    $17::text[]::bigint[], $18::text[]::bigint[], $19::text[], $20::text[]) AS i(${columns})
), account AS MATERIALIZED (
  SELECT * FROM budget WHERE root_id = ANY($3::uuid[]) ORDER BY root_id FOR UPDATE
), held AS MATERIALIZED (
  SELECT w.* FROM account a JOIN wanted w USING (root_id) JOIN project p ON p.id = w.project_id
  WHERE p.lease_epoch = w.epoch AND p.lease_worker = w.worker_id FOR KEY SHARE OF p
), lost AS (
  UPDATE model_call c SET status = 'lost', counted_nano = c.reserved_nano, counted_tokens = c.reserved_tokens,
    estimate_error_nano = 0
  FROM held h
  WHERE h.run > 1 AND c.status = 'open' AND c.project_id = h.project_id AND c.effect_key = h.effect_key
    AND c.run < h.run
  RETURNING c.root_id, c.reserved_nano AS nano, c.reserved_tokens AS tokens
), shifted AS (
  SELECT root_id, sum(nano)::bigint AS nano, sum(tokens)::bigint AS tokens FROM lost GROUP BY root_id
), judged AS (
  SELECT h.item, h.root_id, h.nano, h.tokens, a.cap_nano, a.cap_tokens,
    a.used_nano + COALESCE(s.nano, 0) AS used_nano, a.used_tokens + COALESCE(s.tokens, 0) AS used_tokens,
    a.reserved_nano - COALESCE(s.nano, 0) AS reserved_nano, a.reserved_tokens - COALESCE(s.tokens, 0) AS reserved_tokens,
    COALESCE(a.used_nano + a.reserved_nano + h.nano <= a.cap_nano, true)
      AND COALESCE(a.used_tokens + a.reserved_tokens + h.tokens <= a.cap_tokens, true) AS fits
  FROM held h JOIN account a USING (root_id) LEFT JOIN shifted s USING (root_id)
), ranked AS (
  SELECT *, sum(nano) OVER up_to_it AS nano_up_to_it, sum(tokens) OVER up_to_it AS tokens_up_to_it
  FROM judged WHERE fits WINDOW up_to_it AS (PARTITION BY root_id ORDER BY item)
), inserted AS (
  INSERT INTO model_call (id, root_id, project_id, worker_id, epoch, state, agent, purpose, attempt, tier, provider,
    model, simulated, effect_key, run, reserved_nano, reserved_tokens, price_version, trace_id, status)
  SELECT h.id, h.root_id, h.project_id, h.worker_id, h.epoch, h.state, h.agent, h.purpose, h.attempt, h.tier,
    h.provider, h.model, h.simulated = 1, h.effect_key, h.run, h.nano, h.tokens, h.price_version, h.trace_id, 'open'
  FROM held h JOIN ranked r USING (item)
  WHERE COALESCE(r.used_nano + r.reserved_nano + r.nano_up_to_it <= r.cap_nano, true)
    AND COALESCE(r.used_tokens + r.reserved_tokens + r.tokens_up_to_it <= r.cap_tokens, true)
  ON CONFLICT (id) DO NOTHING
  RETURNING id, root_id, reserved_nano AS nano, reserved_tokens AS tokens
), moved AS (
  SELECT root_id, sum(nano) AS nano, sum(tokens) AS tokens, sum(lost_nano) AS lost_nano, sum(lost_tokens) AS lost_tokens
  FROM (
    SELECT root_id, nano, tokens, 0 AS lost_nano, 0 AS lost_tokens FROM inserted
    UNION ALL SELECT root_id, -nano, -tokens, nano, tokens FROM lost
  ) AS each GROUP BY root_id
), charged AS (
  UPDATE budget b SET reserved_nano = b.reserved_nano + m.nano, reserved_tokens = b.reserved_tokens + m.tokens,
    used_nano = b.used_nano + m.lost_nano, used_tokens = b.used_tokens + m.lost_tokens
  FROM moved m WHERE b.root_id = m.root_id
)
SELECT w.item, a.root_id IS NOT NULL AS "hasBudget", j.item IS NOT NULL AS "isHeld", i.id IS NOT NULL AS "isAdmitted",
  j.fits, j.cap_nano AS "capNano", j.cap_tokens AS "capTokens", j.used_nano AS "usedNano", j.used_tokens AS "usedTokens",
  j.reserved_nano AS "reservedNano", j.reserved_tokens AS "reservedTokens"
FROM wanted w LEFT JOIN account a USING (root_id) LEFT JOIN judged j USING (item) LEFT JOIN inserted i ON i.id = w.id`,
};
