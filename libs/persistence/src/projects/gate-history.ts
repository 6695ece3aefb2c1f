import type pg from 'pg';
import type { SignalBody } from '#engine';
import type { Json, JsonObject } from '#kernel';
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

/** The newest decision that was made at a gate; with `id`, that of one operation. */
export async function toldDecision(
  client: Client,
  projectId: string,
  { gate, id }: { readonly gate: string; readonly id?: string | undefined },
): Promise<ToldDecision | null> {
  const { rows } = await client.query<Group>(
    `SELECT seq, events, at FROM event_group WHERE project_id = $1 AND strpos(events, '["gate.decided",{') > 0
     ORDER BY seq DESC LIMIT ${String(MOST_GROUPS)}`,
    [projectId],
  );
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

/** What was told of a project after the given checkpoint was written, in its order: the newest ones, and whether there was more. */
export async function happenedSince(
  client: Client,
  projectId: string,
  checkpoint: number,
  most: number,
): Promise<{ readonly events: readonly Happening[]; readonly isMore: boolean }> {
  // The first row of a version came with its checkpoint; those that follow it were told about a project that stood there.
  const { rows } = await client.query<Group>(
    `SELECT seq, events, at FROM event_group WHERE project_id = $1 AND version >= $2 AND seq >
       COALESCE((SELECT min(seq) FROM event_group WHERE project_id = $1 AND version = $2), 0)
     ORDER BY seq DESC LIMIT $3`,
    [projectId, checkpoint, most + 1],
  );
  const events = rows
    .toReversed()
    .flatMap((group) => numberedEvents(group).map((event) => ({ ...event, at: group.at.toISOString() })));
  return { events: events.slice(-most), isMore: events.length > most };
}
