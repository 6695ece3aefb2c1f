/**
 * Many projects' writes in one statement (group commit). Each row checks its own lease, write number and version;
 * one that lost its race changes nothing and returns no row (then STALE_WRITES records it).
 * Values are shared by content. One that is there already is left alone: to touch it would make every project that
 * holds a value as common as `1` wait for the others.
 * The new manifest is the previous one plus what changed, so only the change is sent.
 */
const columns = 'item, id, epoch, number, version, state, status, waiting, checksum, seal, delta, body, events';
const manyInputs = `
  SELECT * FROM unnest($1::int[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::bytea[], $13::int[]) AS t(${columns})`;
/** For a project that writes alone: the planner sees single values, and the statement costs less to begin. */
const oneInput = `
  SELECT * FROM (VALUES ($1::int, $2::uuid, $3::int, $4::int, $5::int, $6::text, $7::text, $8::text, $9::text,
    $10::text, $11::text, $12::bytea, $13::int)) AS t(${columns})`;

const head = (input: string): string => `
WITH input AS (${input}
), won AS (
  UPDATE project p SET
    writes = i.number,
    event_seq = p.event_seq + i.events,
    version = COALESCE(i.version, p.version),
    state = COALESCE(i.state, p.state),
    status = COALESCE(i.status, p.status),
    waiting = CASE WHEN i.version IS NULL THEN p.waiting ELSE i.waiting END,
    head_checksum = COALESCE(i.checksum, p.head_checksum),
    updated_at = now()
  FROM input i LEFT JOIN checkpoint c ON c.project_id = i.id AND c.seq = i.version - 1
  WHERE p.id = i.id AND p.lease_epoch = i.epoch AND p.lease_worker = $14 AND p.writes = i.number - 1
    AND (i.version IS NULL OR (p.version = i.version - 1 AND c.checksum = p.head_checksum))
  RETURNING i.item, p.id, i.version AS seq, i.checksum, i.seal, i.delta, i.body, p.version,
    p.event_seq - i.events AS event_base, p.signal_seq, c.checksum AS prev, c.manifest
), links AS (
  INSERT INTO checkpoint (project_id, seq, prev, checksum, seal, body, manifest)
  SELECT w.id, w.seq, w.prev, w.checksum, w.seal, w.body, jsonb_strip_nulls(w.manifest || w.delta::jsonb)
  FROM won w WHERE w.seq IS NOT NULL
), contents AS (
  INSERT INTO blob (hash, content)
  SELECT * FROM unnest($15::text[], $16::bytea[])
  ON CONFLICT (hash) DO NOTHING
), told AS (
  INSERT INTO event (project_id, seq, version, type, data)
  SELECT w.id, w.event_base + e.nth, w.version, e.type, e.data
  FROM unnest($17::int[], $18::int[], $19::text[], $20::text[]) AS e(item, nth, type, data)
  JOIN won w USING (item)
)`;

const journal = `, journal AS (
  INSERT INTO effect (project_id, key, status, attempt, epoch, outcome_hash, finished_at)
  SELECT w.id, j.key, j.status, j.attempt, j.epoch, j.hash, CASE WHEN j.status = 'started' THEN NULL ELSE now() END
  FROM unnest($21::int[], $22::text[], $23::text[], $24::int[], $25::int[], $26::text[])
    AS j(item, key, status, attempt, epoch, hash)
  JOIN won w USING (item)
  ON CONFLICT (project_id, key) DO UPDATE SET
    status = excluded.status, attempt = excluded.attempt, epoch = excluded.epoch,
    outcome_hash = excluded.outcome_hash, finished_at = excluded.finished_at,
    started_at = CASE WHEN excluded.status = 'started' THEN now() ELSE effect.started_at END
), consumed AS (
  UPDATE signal s SET consumed_version = w.version
  FROM unnest($27::int[], $28::int[]) AS c(item, seq) JOIN won w USING (item)
  WHERE s.project_id = w.id AND s.seq = c.seq
)`;

const answer = `
SELECT item, signal_seq FROM won`;

export const WRITE_ONE = { name: 'write-one', text: head(oneInput) + answer };
export const WRITE_BATCH = { name: 'write-batch', text: head(manyInputs) + answer };
export const WRITE_BATCH_WITH_JOURNAL = {
  name: 'write-batch-with-journal',
  text: head(manyInputs) + journal + answer,
};

/** $1 project, $2 worker, $3 epoch, $4 number of the write: one array each. */
export const STALE_WRITES = `
INSERT INTO stale_write (project_id, worker, epoch, write_number)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[])`;
