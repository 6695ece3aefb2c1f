import type pg from 'pg';
import {
  Command, decodeNumberCursor, encodeNumberCursor, type GivenCommand, type Page, type PageQuery,
} from '#contracts'; // prettier-ignore
import type { JsonObject } from '#kernel';
import { numberedEvents } from '../projects/event-group.js';
import { NOTABLE } from '../projects/notable.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { type CommandEffect, effectOf, unheard } from './command-effect.js';

interface GroupRow {
  readonly seq: number;
  readonly events: string;
  readonly at: Date;
}

/** Whoever takes or refuses a command leaves one event, in a row of its own. */
export const GIVEN = `
SELECT seq, events, at FROM event_group
WHERE project_id = $1 AND ${NOTABLE} AND starts_with(events, '[["command.re') AND ($2::int IS NULL OR seq < $2)
ORDER BY seq DESC LIMIT $3`;

/** The rows in which something became of these; what is said elsewhere may quote an id. */
export const BECAME = `
SELECT seq, events, at FROM event_group
WHERE project_id = $1 AND seq > $2 AND ${NOTABLE} AND strpos(events, '"signal.') > 0
  AND EXISTS (SELECT 1 FROM unnest($3::text[]) AS given(id) WHERE strpos(events, given.id) > 0)
ORDER BY seq`;

/** The commands of projects, read from their events. */
export class PgCommands {
  constructor(private readonly pool: pg.Pool) {}

  /** Newest first. */
  list(projectId: string, { cursor, limit }: PageQuery): Promise<Page<GivenCommand>> {
    const before = cursor === undefined ? null : decodeNumberCursor(cursor);
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<GroupRow>(GIVEN, [projectId, before, limit + 1]);
      const shown = rows.slice(0, limit);
      const given = shown.flatMap((row) => numberedEvents(row).map((event) => ({ ...event, at: row.at })));
      const last = shown.at(-1)?.seq ?? 0;
      const ids = given.map(({ data }) => text(data['id']));
      const [effects, names] = await Promise.all([
        this.effects(projectId, last, ids),
        this.keyNames(given.flatMap(({ data }) => keyOf(data) ?? [])),
      ]);
      return {
        data: given.map(({ type, data, at }) => view(type, data, at, effects.get(text(data['id'])), names)),
        nextCursor: rows.length > limit ? encodeNumberCursor(last) : null,
      };
    });
  }

  private async effects(projectId: string, after: number, ids: string[]): Promise<Map<string, CommandEffect>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<GroupRow>(BECAME, [projectId, after, ids]);
    return new Map(rows.flatMap((row) => effectOf(numberedEvents(row))));
  }

  private async keyNames(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const sql = 'SELECT id, name FROM api_key WHERE id = ANY($1::uuid[])';
    const { rows } = await this.pool.query<{ id: string; name: string }>(sql, [[...new Set(ids)]]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const keyOf = ({ key }: JsonObject): string | null => (typeof key === 'string' ? key : null);

function view(
  type: string,
  data: JsonObject,
  at: Date,
  became: CommandEffect | undefined,
  names: ReadonlyMap<string, string>,
): GivenCommand {
  const key = keyOf(data);
  const command = Command.parse(data['command']);
  const effect: CommandEffect =
    type === 'command.refused' ? { outcome: 'refused', effect: text(data['why']) } : (became ?? unheard(command));
  return {
    id: text(data['id']),
    command,
    door: data['door'] === 'file' ? 'file' : 'api',
    by: {
      principal: data['by'] === 'human' ? 'human' : 'service',
      key: key === null ? null : { id: key, name: names.get(key) ?? null },
    },
    at: at.toISOString(),
    state: typeof data['state'] === 'string' ? data['state'] : null,
    ...effect,
  };
}
