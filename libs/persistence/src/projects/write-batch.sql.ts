import { DELIVERY_COLUMNS, LISTENS } from './announce.sql.js';

/**
 * Many projects' writes in one statement (group commit). Each row checks its own lease, write number and version;
 * one that lost its race changes nothing and returns no row (then STALE_WRITES records it).
 * Most writes carry nothing but a link and events: their statement is kept lean, because what a statement costs to
 * begin is paid by the few projects that share it.
 */
const columns =
  'item, id, epoch, number, version, state, status, waiting, prev, checksum, seal, manifest, body, told, events';
const manyInputs = `
  unnest($1::int[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::bytea[], $14::int[], $15::text[]) AS i(${columns})`;
/** For a project that writes alone: the planner sees single values, and the statement costs less to begin. */
const oneInput = `
  (VALUES ($1::int, $2::uuid, $3::int, $4::int, $5::int, $6::text, $7::text, $8::text, $9::text, $10::text,
    $11::text, $12::text, $13::bytea, $14::int, $15::text)) AS i(${columns})`;

interface Source {
  readonly from: string;
  readonly andAlso: string;
  readonly manifest: string;
}

const whole = (input: string): Source => ({ from: input, andAlso: '', manifest: 'i.manifest::jsonb' });

/** The new manifest is the previous one plus what changed, so only the change is sent. */
const merged = (input: string): Source => ({
  from: `${input} LEFT JOIN checkpoint c ON c.project_id = i.id AND c.seq = i.version - 1`,
  andAlso: 'AND (i.version IS NULL OR c.checksum = i.prev)',
  manifest: 'jsonb_strip_nulls(c.manifest || i.manifest::jsonb)',
});

/**
 * How a batch that has something to announce is written.
 * - silent: it has nothing.
 * - unheard: only while nobody listens; where somebody does it changes nothing, and is sent again as `told`. It costs
 *   next to nothing, and whoever listened before the statement began is not missed.
 * - told: with a delivery for each endpoint that wants to know.
 */
export type Hearing = 'silent' | 'unheard' | 'told';

const unheard = 'AND NOT EXISTS (SELECT 1 FROM webhook_endpoint WHERE enabled)';

const head = ({ from, andAlso, manifest }: Source, hearing: Hearing): string => `
WITH won AS (
  UPDATE project p SET
    writes = i.number,
    event_seq = p.event_seq + i.told,
    version = COALESCE(i.version, p.version),
    state = COALESCE(i.state, p.state),
    status = COALESCE(i.status, p.status),
    waiting = CASE WHEN i.version IS NULL THEN p.waiting ELSE i.waiting END,
    head_checksum = COALESCE(i.checksum, p.head_checksum),
    updated_at = now()
  FROM ${from}
  WHERE p.id = i.id AND p.lease_epoch = i.epoch AND p.lease_worker = $16 AND p.writes = i.number - 1
    AND (i.version IS NULL OR (p.version = i.version - 1 AND p.head_checksum = i.prev)) ${andAlso}
    ${hearing === 'unheard' ? unheard : ''}
  RETURNING i.item, p.id, i.version AS seq, i.prev, i.checksum, i.seal, i.body, ${manifest} AS manifest, p.version,
    p.event_seq, i.events, p.signal_seq${hearing === 'told' ? ', p.state, p.status' : ''}
), links AS (
  INSERT INTO checkpoint (project_id, seq, prev, checksum, seal, body, manifest)
  SELECT w.id, w.seq, w.prev, w.checksum, w.seal, w.body, w.manifest FROM won w WHERE w.seq IS NOT NULL
), told AS (
  INSERT INTO event_group (project_id, seq, version, events)
  SELECT w.id, w.event_seq, w.version, w.events FROM won w WHERE w.events IS NOT NULL
)`;

/** An entry that is there already takes the place of an older one of its own. */
const entryKept = `
  ON CONFLICT (project_id, key) DO UPDATE SET
    status = excluded.status, attempt = excluded.attempt, epoch = excluded.epoch,
    outcome_hash = excluded.outcome_hash, finished_at = excluded.finished_at,
    started_at = CASE WHEN excluded.status = 'started' THEN now() ELSE effect.started_at END`;

/**
 * Values are shared by content. One that is there already is left alone: to touch it would make every project that
 * holds it wait for the others.
 */
const more = `, contents AS (
  INSERT INTO blob (hash, content)
  SELECT * FROM unnest($17::text[], $18::bytea[])
  ON CONFLICT (hash) DO NOTHING
), journal AS (
  INSERT INTO effect (project_id, key, status, attempt, epoch, outcome_hash, finished_at)
  SELECT w.id, j.key, j.status, j.attempt, j.epoch, j.hash, CASE WHEN j.status = 'started' THEN NULL ELSE now() END
  FROM unnest($19::int[], $20::text[], $21::text[], $22::int[], $23::int[], $24::text[])
    AS j(item, key, status, attempt, epoch, hash)
  JOIN won w USING (item)${entryKept}
), consumed AS (
  UPDATE signal s SET consumed_version = w.version
  FROM unnest($25::int[], $26::int[]) AS c(item, seq) JOIN won w USING (item)
  WHERE s.project_id = w.id AND s.seq = c.seq
)`;

const answer = `
SELECT item, signal_seq FROM won`;

/** The announcements of the batch are its last parameters, from $`first` on. */
const announced = (first: number): string => `, announced AS (
  INSERT INTO webhook_delivery (${DELIVERY_COLUMNS})
  SELECT e.id, w.id, a.type, w.state, w.status, w.version, w.event_seq, a.details
  FROM unnest($${String(first)}::int[], $${String(first + 1)}::text[], $${String(first + 2)}::text[])
    AS a(item, type, details)
  JOIN won w USING (item) JOIN webhook_endpoint e ON ${LISTENS('w.id', 'a.type')}
)`;

interface Statement {
  readonly name: string;
  readonly text: string;
}

function statements(name: string, source: Source, rest: string, parameters: number): Record<Hearing, Statement> {
  const statement = (hearing: Hearing): Statement => ({
    name: `${name}-${hearing}`,
    text: head(source, hearing) + rest + (hearing === 'told' ? announced(parameters + 1) : '') + answer,
  });
  return { silent: statement('silent'), unheard: statement('unheard'), told: statement('told') };
}

export const WRITE_ONE = statements('write-one', whole(oneInput), '', 16);
export const WRITE_BATCH = statements('write-batch', whole(manyInputs), '', 16);
/** With contents, a journal, consumed signals, and manifests of which only the change is sent. */
export const WRITE_BATCH_WITH_MORE = statements('write-batch-with-more', merged(manyInputs), more, 26);

/** One entry of the journal with its events, and nothing else: what a project writes most, and mostly alone. */
export const WRITE_ENTRY = {
  name: 'write-entry',
  text: `
WITH won AS (
  UPDATE project p SET writes = $3::int, event_seq = p.event_seq + $5::int, updated_at = now()
  WHERE p.id = $1::uuid AND p.lease_epoch = $2::int AND p.lease_worker = $4 AND p.writes = $3::int - 1
  RETURNING p.id, p.version, p.event_seq, p.signal_seq
), told AS (
  INSERT INTO event_group (project_id, seq, version, events)
  SELECT w.id, w.event_seq, w.version, $6::text FROM won w WHERE $6::text IS NOT NULL
), contents AS (
  INSERT INTO blob (hash, content)
  SELECT $7::text, $8::bytea WHERE $8::bytea IS NOT NULL
  ON CONFLICT (hash) DO NOTHING
), journal AS (
  INSERT INTO effect (project_id, key, status, attempt, epoch, outcome_hash, finished_at)
  SELECT w.id, $9::text, $10::text, $11::int, $2::int, $12::text,
    CASE WHEN $10::text = 'started' THEN NULL ELSE now() END
  FROM won w${entryKept}
)
SELECT 0 AS item, signal_seq FROM won`,
};

/** $1 project, $2 worker, $3 epoch, $4 number of the write: one array each. */
export const STALE_WRITES = `
INSERT INTO stale_write (project_id, worker, epoch, write_number)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[])`;
