import type pg from 'pg';
import type { JsonObject } from '#kernel';
import { nanoOf } from '#models';
import { numberedEvents } from '../projects/event-group.js';
import { NOTABLE } from '../projects/notable.js';

export const BUDGET_CHANGED = 'budget.changed';

/** A change of a project's caps, as its history tells it. */
export interface CapChanged {
  readonly seq: number;
  /** The newest checkpoint that there was. */
  readonly version: number;
  readonly operation: unknown;
  /** It follows from the project's state, such as a plan that was approved; what somebody asked for by itself does not. */
  readonly isOfState: boolean;
  readonly from: bigint | null;
  readonly to: bigint | null;
}

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** All of them, oldest first. */
export const capChanges = async (client: Client, projectId: string): Promise<readonly CapChanged[]> =>
  (await toldOf(client, projectId, BUDGET_CHANGED)).map(({ seq, version, data }) => ({
    seq,
    version,
    operation: data['id'],
    isOfState: data['because'] !== undefined,
    from: nanoIn(data['from']),
    to: nanoIn(data['to']),
  }));

/** The number of the newest approval at this gate; null where there is none. */
export async function lastApproval(client: Client, projectId: string, gate: string): Promise<number | null> {
  const decided = await toldOf(client, projectId, 'gate.decided');
  return decided.findLast(({ data }) => data['gate'] === gate && data['decision'] === 'approve')?.seq ?? null;
}

/**
 * The cap of a project that goes on from a checkpoint: what followed from a state behind it, such as the approval of a
 * later plan, is no more. Never above what it is now: raising one is a person's word.
 */
export function capAsOf(changes: readonly CapChanged[], seq: number, now: bigint | null): bigint | null {
  const later = changes.filter(({ version, from, to }) => version >= seq && from !== to);
  const [first] = later;
  if (!first || !later.some(({ isOfState }) => isOfState)) return now;
  const asked = later.findLast(({ isOfState }) => !isOfState);
  const then = asked ? asked.to : first.from;
  return isMoreThan(now, then) ? then : now;
}

/** No cap is more than any. */
export const isMoreThan = (cap: bigint | null, than: bigint | null): boolean =>
  than !== null && (cap === null || cap > than);

interface Told {
  readonly seq: number;
  readonly version: number;
  readonly type: string;
  readonly data: JsonObject;
}

/** Changes of caps, and the decisions that they follow from. */
export const OF_CAPS = String.raw`${NOTABLE} AND events ~ '\["(budget\.changed|gate\.decided)",\{'`;

export const CAP_HISTORY = `SELECT seq, version, events FROM event_group
WHERE project_id = $1 AND ${OF_CAPS} ORDER BY seq`;

async function toldOf(client: Client, projectId: string, type: string): Promise<readonly Told[]> {
  const { rows } = await client.query<{ seq: number; version: number; events: string }>(CAP_HISTORY, [projectId]);
  const all = rows.flatMap((row) => numberedEvents(row).map((event) => ({ ...event, version: row.version })));
  return all.filter((event) => event.type === type);
}

const nanoIn = (caps: unknown): bigint | null => {
  const usd = (caps as { usd?: unknown } | null | undefined)?.usd;
  return typeof usd === 'string' ? nanoOf(usd) : null;
};
