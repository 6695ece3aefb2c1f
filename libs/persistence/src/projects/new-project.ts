import type pg from 'pg';
import { storableJson, type Json, type JsonObject } from '#kernel';
import type { Announcement, NewEvent, ProjectFacts, Snapshot, StateTimer, Status } from '#engine';
import { forgeLink, GENESIS, type Manifest, valueOf } from '#checkpoints';
import { announce } from './announce.js';
import { byteas, texts } from './binary-array.js';
import { eventsText } from './event-group.js';

export interface ProjectSeed {
  readonly facts: ProjectFacts;
  readonly snapshot: Snapshot;
  readonly status: Status;
  readonly runnable: boolean;
  readonly number: number | null;
  readonly mode: string;
  readonly options: JsonObject;
  readonly labels: JsonObject;
  readonly parentIncarnation: number | null;
  readonly events: readonly NewEvent[];
  readonly announcements?: readonly Announcement[];
  readonly timer?: StateTimer | undefined;
}

type Client = Pick<pg.PoolClient, 'query'>;

/** Project, first checkpoint, first events and a wake-up. Creating the same project again changes nothing. */
export async function insertProject(client: Client, seed: ProjectSeed, sealingKey: string | null): Promise<boolean> {
  const [isNew = false] = await insertProjects(client, [seed], sealingKey);
  return isNew;
}

/** Several, of which most share what they begin with. Tells of each whether it is new. */
export async function insertProjects(
  client: Client,
  seeds: readonly ProjectSeed[],
  sealingKey: string | null,
): Promise<readonly boolean[]> {
  const contexts = seeds.map(({ snapshot }) => valuesOf(snapshot.context));
  await storeContents(client, new Map(contexts.flatMap(({ contents }) => [...contents])));
  const areNew: boolean[] = [];
  for (const [nth, seed] of seeds.entries()) {
    areNew.push(await insertOne(client, seed, contexts[nth]?.manifest ?? {}, sealingKey));
  }
  return areNew;
}

async function insertOne(
  client: Client,
  seed: ProjectSeed,
  manifest: Manifest,
  sealingKey: string | null,
): Promise<boolean> {
  const { facts, snapshot, events } = seed;
  const link = forgeLink({ facts, snapshot, seq: 1, prev: GENESIS, manifest, cause: 'created', epoch: 0 }, sealingKey);
  const inserted = await client.query(INSERT_PROJECT, [
    facts.id, seed.number, facts.name, seed.mode, facts.machine, facts.machineVersion, facts.request,
    storableJson(facts.parameters), storableJson(seed.options), JSON.stringify(seed.labels),
    facts.repo?.path ?? null, facts.repo?.ref ?? null, facts.parent?.id ?? null, facts.parent?.key ?? null,
    seed.parentIncarnation, facts.parent?.visit ?? null, facts.startedBy, facts.traceparent, snapshot.state,
    seed.status, link.checksum, seed.runnable, events.length,
    link.prev, link.seal, link.body, manifest, events.length > 0 ? eventsText(events) : null,
  ]); // prettier-ignore
  if (inserted.rowCount === 0) return false;
  if (seed.timer) await setTimer(client, facts.id, seed.timer);
  await announce(client, facts.id, seed.announcements ?? []);
  return true;
}

/**
 * The number that people know a project by, higher than `taken`. Whatever lies between is drawn, not jumped over: two at
 * once that put the sequence forward could get the same.
 */
export async function nextProjectNumber(client: Client, taken = 0): Promise<number> {
  const drawn = async (count: number): Promise<number> => {
    const sql = `SELECT max(nextval('project_number'))::int AS n FROM generate_series(1, $1)`;
    return (await client.query<{ n: number }>(sql, [count])).rows[0]?.n ?? 0;
  };
  const next = await drawn(1);
  return next > taken ? next : drawn(taken + 1 - next);
}

interface Values {
  readonly manifest: Manifest;
  /** By hash. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** Each top-level value of a context by its content, and the references to them. */
function valuesOf(context: Readonly<Record<string, Json>>): Values {
  const manifest: Record<string, string> = {};
  const contents = new Map<string, Buffer>();
  for (const [key, json] of Object.entries(context)) {
    const { ref, content } = valueOf(json);
    if (content) contents.set(ref, content);
    manifest[key] = ref;
  }
  return { manifest, contents };
}

/** In the same order by whoever stores some: two that share some never block each other for good. */
async function storeContents(client: Client, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  if (contents.size === 0) return;
  const hashes = [...contents.keys()].sort();
  await client.query(STORE_VALUES, [texts(hashes), byteas(hashes.map((hash) => contents.get(hash)))]);
}

export async function setTimer(client: Client, projectId: string, timer: StateTimer): Promise<void> {
  await client.query(
    `INSERT INTO timer (project_id, visit, event, fire_at)
     VALUES ($1, $2, $3, now() + $4::int * interval '1 millisecond')
     ON CONFLICT (project_id, visit, event) DO UPDATE SET fire_at = excluded.fire_at`,
    [projectId, timer.visit, timer.event ?? '', timer.ms],
  );
}

const INSERT_PROJECT = `
WITH born AS (
  INSERT INTO project (id, number, name, mode, machine, machine_version, request, parameters, options, labels,
    repo_path, repo_ref, parent_id, parent_key, parent_incarnation, parent_visit, started_by, traceparent, state,
    status, head_checksum, runnable, event_seq, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 1)
  ON CONFLICT (id) DO NOTHING
  RETURNING id, traceparent, head_checksum, event_seq
), link AS (
  INSERT INTO checkpoint (project_id, seq, prev, checksum, seal, body, manifest)
  SELECT id, 1, $24::text, head_checksum, $25::text, $26::bytea, $27::jsonb FROM born
), told AS (
  INSERT INTO event_group (project_id, seq, version, events)
  SELECT id, event_seq, 1, $28::text FROM born WHERE $28::text IS NOT NULL
), woken AS (
  INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM born
)
SELECT id FROM born`;

/** Values are shared by content: one that was damaged would spoil every project that comes to hold it, so it is mended. */
const STORE_VALUES = `
WITH given AS (SELECT * FROM unnest($1::text[], $2::bytea[]) AS g(hash, content)),
mended AS (
  UPDATE blob SET content = given.content FROM given WHERE blob.hash = given.hash AND blob.content <> given.content
)
INSERT INTO blob (hash, content) SELECT hash, content FROM given ON CONFLICT (hash) DO NOTHING`;
