import type pg from 'pg';
import type { JournalEntry, PrincipalKind, ProjectFacts, Signal, SignalBody } from '#engine';
import { type Json, type JsonObject, sha256Hex } from '#kernel';
import { inlineText, type Manifest, readManifest, type StoredLink, type ValueState } from '#checkpoints';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly machine: string;
  readonly machine_version: number;
  readonly request: string;
  readonly parameters: string;
  readonly repo_path: string | null;
  readonly repo_ref: string | null;
  readonly parent_id: string | null;
  readonly parent_key: string | null;
  readonly parent_visit: number | null;
  readonly started_by: PrincipalKind;
  readonly traceparent: string | null;
}

export const PROJECT_COLUMNS = `p.id, p.name, p.machine, p.machine_version, p.request, p.parameters, p.repo_path,
  p.repo_ref, p.parent_id, p.parent_key, p.parent_visit, p.started_by, p.traceparent`;

export function factsOf(row: ProjectRow): ProjectFacts {
  const { parent_id, parent_key, parent_visit } = row;
  const isChild = parent_id !== null && parent_key !== null && parent_visit !== null;
  return {
    id: row.id,
    name: row.name,
    machine: row.machine,
    machineVersion: row.machine_version,
    request: row.request,
    parameters: JSON.parse(row.parameters) as JsonObject,
    repo: row.repo_path === null ? null : { path: row.repo_path, ref: row.repo_ref ?? 'HEAD' },
    parent: isChild ? { id: parent_id, key: parent_key, visit: parent_visit } : null,
    startedBy: row.started_by,
    traceparent: row.traceparent,
  };
}

interface LinkRow {
  readonly seq: number;
  readonly prev: string;
  readonly checksum: string;
  readonly seal: string | null;
  readonly body: Buffer;
  readonly manifest: unknown;
  readonly quarantine_reason: string | null;
}

export async function loadLinks(client: Client, projectId: string, only?: number): Promise<StoredLink[]> {
  const { rows } = await client.query<LinkRow>(
    `SELECT seq, prev, checksum, seal, body, manifest, quarantine_reason FROM checkpoint
     WHERE project_id = $1 AND ($2::int IS NULL OR seq = $2) ORDER BY seq`,
    [projectId, only ?? null],
  );
  return rows.map(({ quarantine_reason, manifest, ...link }) => ({
    ...link,
    manifest: readManifest(manifest),
    quarantined: quarantine_reason,
  }));
}

/** The contents that references lead to. */
export async function loadContents(client: Client, refs: readonly string[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const hashes = refs.filter((ref) => {
    const text = inlineText(ref);
    if (text !== null) contents.set(ref, Buffer.from(text));
    return text === null;
  });
  if (hashes.length === 0) return contents;
  const { rows } = await client.query<{ hash: string; content: Buffer }>(
    'SELECT hash, content FROM blob WHERE hash = ANY($1)',
    [hashes],
  );
  for (const { hash, content } of rows) contents.set(hash, content);
  return contents;
}

const JUDGED_AT_ONCE = 200;

/** What the store holds under each hash, found where the values lie: a whole chain's need not fit into memory. */
export async function judgeValues(client: Client, hashes: readonly string[]): Promise<Map<string, ValueState>> {
  const states = new Map<string, ValueState>(hashes.map((hash) => [hash, 'missing']));
  for (let at = 0; at < hashes.length; at += JUDGED_AT_ONCE) {
    const { rows } = await client.query<{ hash: string; is_sound: boolean }>(
      `SELECT hash, encode(sha256(content), 'hex') = hash AS is_sound FROM blob WHERE hash = ANY($1)`,
      [hashes.slice(at, at + JUDGED_AT_ONCE)],
    );
    for (const { hash, is_sound } of rows) states.set(hash, is_sound ? 'sound' : 'damaged');
  }
  return states;
}

export function contextOf(manifest: Manifest, contents: ReadonlyMap<string, Buffer>): Record<string, Json> {
  const context: Record<string, Json> = {};
  for (const [key, hash] of Object.entries(manifest)) {
    const content = contents.get(hash);
    if (content) context[key] = JSON.parse(content.toString('utf8')) as Json;
  }
  return context;
}

export async function loadSignals(client: Client, projectId: string): Promise<Signal[]> {
  const { rows } = await client.query<{ seq: number; by: PrincipalKind; body: string }>(
    'SELECT seq, by, body FROM signal WHERE project_id = $1 AND consumed_version IS NULL ORDER BY seq',
    [projectId],
  );
  return rows.map(({ seq, by, body }) => ({ seq, by, body: JSON.parse(body) as SignalBody }));
}

/** Values that are not what their hashes say. Judged again as they go: meanwhile somebody may have stored them anew. */
export async function discardDamaged(client: Client, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await client.query(`DELETE FROM blob WHERE hash = ANY($1) AND encode(sha256(content), 'hex') <> hash`, [hashes]);
}

interface EffectRow extends Omit<JournalEntry, 'outcome'> {
  readonly outcome_hash: string | null;
  readonly content: Buffer | null;
}

/** An effect whose outcome was lost or damaged in the store counts as begun: it was done, and nobody knows with what. */
export async function loadJournal(client: Client, projectId: string, visitPrefix: string): Promise<JournalEntry[]> {
  const { rows } = await client.query<EffectRow>(
    `SELECT e.key, e.status, e.attempt, e.outcome_hash, b.content FROM effect e LEFT JOIN blob b ON b.hash = e.outcome_hash
     WHERE e.project_id = $1 AND starts_with(e.key, $2)`,
    [projectId, `${visitPrefix}/`],
  );
  const damaged = rows.flatMap(({ outcome_hash: hash, content }) =>
    hash !== null && content && sha256Hex(content) !== hash ? [hash] : [],
  );
  await discardDamaged(client, damaged);
  return rows.map(({ key, status, attempt, outcome_hash: hash, content }) => {
    if (hash === null) return { key, status, attempt, outcome: null };
    const text = inlineText(hash);
    if (text !== null) return { key, status, attempt, outcome: JSON.parse(text) as Json };
    if (!content || damaged.includes(hash)) return { key, status: 'started', attempt, outcome: null };
    return { key, status, attempt, outcome: JSON.parse(content.toString('utf8')) as Json };
  });
}
