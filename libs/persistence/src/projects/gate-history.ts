import type pg from 'pg';
import type { SignalBody } from '#engine';
import type { Json, JsonObject } from '#kernel';
import { OF_CAPS } from '../ledger/cap-history.js';
import { numberedEvents } from './event-group.js';

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;
type Decision = Extract<SignalBody, { kind: 'decision' }>;

/** A decision as its event tells it. */
export interface ToldDecision {
  readonly decision: string;
  readonly by: string;
  /** The API key that it was made with. */
  readonly key: string | null;
  readonly at: string;
}

interface Group {
  readonly seq: number;
  readonly events: string;
  readonly at: Date;
}

/** Of a project that was decided often enough, older decisions are for its events. */
const MOST_GROUPS = 50;

/** The decision about the same question that waits in the inbox, if there is one. */
export async function pendingDecision(client: Client, projectId: string, asked: Decision): Promise<Decision | null> {
  const { rows } = await client.query<{ body: string }>(
    `SELECT body FROM signal WHERE project_id = $1 AND consumed_version IS NULL ORDER BY seq`,
    [projectId],
  );
  const waiting = rows.map(({ body }) => JSON.parse(body) as SignalBody);
  return waiting.find((body): body is Decision => body.kind === 'decision' && isAlike(body, asked)) ?? null;
}

const isAlike = (one: Decision, other: Decision): boolean =>
  one.gate === other.gate && one.visit === other.visit && one.effect === other.effect;

export const DECIDED = `
SELECT seq, events, at FROM event_group
WHERE project_id = $1 AND ${OF_CAPS} AND strpos(events, '["gate.decided",{') > 0
ORDER BY seq DESC LIMIT ${String(MOST_GROUPS)}`;

/** The newest decision that was made at a gate; with `id`, that of one operation. */
export async function toldDecision(
  client: Client,
  projectId: string,
  { gate, id }: { readonly gate: string; readonly id?: string | undefined },
): Promise<ToldDecision | null> {
  const { rows } = await client.query<Group>(DECIDED, [projectId]);
  const told = rows.flatMap((group) =>
    numberedEvents(group)
      .toReversed()
      .map((event) => ({ ...event, at: group.at })),
  );
  const found = told.find(
    ({ type, data }) => type === 'gate.decided' && data['gate'] === gate && (id === undefined || data['id'] === id),
  );
  if (!found) return null;
  const { decision, by, key } = found.data;
  return { decision: textOf(decision), by: textOf(by), key: textOf(key) || null, at: found.at.toISOString() };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export interface Happening {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: JsonObject;
}

export const NEWEST = `
SELECT seq, version, events, at FROM event_group WHERE project_id = $1 ORDER BY seq DESC LIMIT $2`;

/** What was told of a project after the given checkpoint was written, in its order: the newest ones, and whether there was more. */
export async function happenedSince(
  client: Client,
  projectId: string,
  checkpoint: number,
  most: number,
): Promise<{ readonly events: readonly Happening[]; readonly isMore: boolean }> {
  const { rows } = await client.query<Group & { readonly version: number }>(NEWEST, [projectId, most + 2]);
  const since = rows.filter(({ version }) => version >= checkpoint).toReversed();
  // The first row of a version came with its checkpoint; those that follow it were told about a project that stood there.
  // Where it is further back than was read, there is more than is told, also without the oldest row of these.
  const told = since[0]?.version === checkpoint ? since.slice(1) : since;
  const events = told.flatMap((group) =>
    numberedEvents(group).map((event) => ({ ...event, at: group.at.toISOString() })),
  );
  return { events: events.slice(-most), isMore: events.length > most };
}
