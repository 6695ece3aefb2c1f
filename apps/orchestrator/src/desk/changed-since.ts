import { type Json, type JsonObject, UserError } from '#kernel';
import { type Database, type Happening, happenedSince, inWorldlyTerms } from '#persistence';

interface Change {
  /** The checkpoint that was looked at. */
  readonly from: number;
  readonly to: number;
  readonly state: string;
  /** The one that is open now. */
  readonly gate: string | undefined;
}

/** Of what has happened since somebody looked. */
const MOST_HAPPENINGS = 20;

/** What was looked at is not what stands there now: what has happened in between is told along. */
export async function changedSince(pool: Database, projectId: string, change: Change): Promise<UserError> {
  const { from, to, state, gate = null } = change;
  const { events, isMore } = await inWorldlyTerms(() => happenedSince(pool, projectId, from, MOST_HAPPENINGS));
  const moved =
    from < to
      ? `the project has moved on from checkpoint ${String(from)} to ${String(to)}, and`
      : `there is no checkpoint ${String(from)} yet: the project is at ${String(to)}, and`;
  const message = `${moved} stands in ${state}: look again`;
  return new UserError('GATE_CHANGED', message, { from, to, state, gate, happened: events.map(inShort), isMore });
}

export const isChanged = (error: unknown): error is UserError =>
  error instanceof UserError && error.code === 'GATE_CHANGED';

const SHOWN = ['from', 'to', 'cause', 'gate', 'decision', 'command', 'by', 'key', 'note'];
const LONGEST_SHOWN = 200;

/** An event as far as somebody needs it who has to look again; the whole of it is among the events. */
function inShort({ seq, type, at, data }: Happening): JsonObject {
  const shown = SHOWN.flatMap((key): [string, Json][] => {
    const value = data[key];
    if (typeof value === 'string') return [[key, value.slice(0, LONGEST_SHOWN)]];
    return typeof value === 'number' ? [[key, value]] : [];
  });
  return { seq, type, at, ...Object.fromEntries(shown) };
}
