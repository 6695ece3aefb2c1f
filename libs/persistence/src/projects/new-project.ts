import type pg from 'pg';
import { storableJson, type Json, type JsonObject } from '#kernel';
import type { NewEvent, ProjectFacts, Snapshot, StateTimer, Status } from '#engine';
import { forgeLink, GENESIS, type Manifest, valueOf } from '#checkpoints';
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
  readonly timer?: StateTimer | undefined;
}

type Client = Pick<pg.PoolClient, 'query'>;

/** Project, first checkpoint, first events and a wake-up. Creating the same project again changes nothing. */
export async function insertProject(client: Client, seed: ProjectSeed, sealingKey: string | null): Promise<boolean> {
  const manifest = await storeValues(client, seed.snapshot.context);
  const { facts, snapshot } = seed;
  const link = forgeLink({ facts, snapshot, seq: 1, prev: GENESIS, manifest, cause: 'created', epoch: 0 }, sealingKey);
  const inserted = await client.query(INSERT_PROJECT, [
    facts.id, seed.number, facts.name, seed.mode, facts.machine, facts.machineVersion, facts.request,
    storableJson(facts.parameters), storableJson(seed.options), JSON.stringify(seed.labels),
    facts.repo?.path ?? null, facts.repo?.ref ?? null, facts.parent?.id ?? null, facts.parent?.key ?? null,
    seed.parentIncarnation, facts.parent?.visit ?? null, facts.startedBy, facts.traceparent, snapshot.state,
    seed.status, link.checksum, seed.runnable, seed.events.length,
  ]); // prettier-ignore
  if (inserted.rowCount === 0) return false;
  await client.query(INSERT_FIRST_LINK, [facts.id, link.prev, link.checksum, link.seal, link.body, manifest]);
  if (seed.events.length > 0) {
    await client.query(INSERT_EVENTS, [facts.id, seed.events.length, eventsText(seed.events)]);
  }
  if (seed.timer) await setTimer(client, facts.id, seed.timer);
  await client.query('INSERT INTO outbox (project_id, traceparent) VALUES ($1, $2)', [facts.id, facts.traceparent]);
  return true;
}

/** The number that people know a project by. */
export async function nextProjectNumber(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`SELECT nextval('project_number')::int AS n`);
  return rows[0]?.n ?? 0;
}

/** Stores each top-level value of a context by its content; returns the references to them. */
export async function storeValues(client: Client, context: Readonly<Record<string, Json>>): Promise<Manifest> {
  const manifest: Record<string, string> = {};
  for (const [key, json] of Object.entries(context)) {
    const { ref, content } = valueOf(json);
    if (content) await client.query(STORE_VALUE, [ref, content]);
    manifest[key] = ref;
  }
  return manifest;
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
INSERT INTO project (id, number, name, mode, machine, machine_version, request, parameters, options, labels,
  repo_path, repo_ref, parent_id, parent_key, parent_incarnation, parent_visit, started_by, traceparent, state,
  status, head_checksum, runnable, event_seq, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 1)
ON CONFLICT (id) DO NOTHING`;

/** Values are shared by content: one that was damaged would spoil every project that comes to hold it, so it is mended. */
const STORE_VALUE = `
WITH mended AS (UPDATE blob SET content = $2 WHERE hash = $1 AND content <> $2)
INSERT INTO blob (hash, content) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`;

const INSERT_FIRST_LINK = `
INSERT INTO checkpoint (project_id, seq, prev, checksum, seal, body, manifest) VALUES ($1, 1, $2, $3, $4, $5, $6)`;

const INSERT_EVENTS = 'INSERT INTO event_group (project_id, seq, version, events) VALUES ($1, $2, 1, $3)';
