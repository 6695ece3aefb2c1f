import type pg from 'pg';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  type Note,
  type NoteDelivery,
  type Page,
  type PageQuery,
} from '#contracts';
import type { Json } from '#kernel';
import { KnownRoots } from '../ledger/known-roots.js';
import { numberedEvents } from '../projects/event-group.js';
import { NOTABLE } from '../projects/notable.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';

interface NoteRow extends Omit<Note, 'at' | 'deliveries'> {
  readonly at: Date;
}

const COLUMNS = 'id, root_id AS "projectId", seq AS number, agent, text, by, key_id AS key, created_at AS at';

/** Every call of a model asks this: planned once per connection, and answered by the primary key. */
const AFTER = {
  name: 'notes-after',
  text: `SELECT ${COLUMNS} FROM note WHERE root_id = $1 AND seq > $2 AND (agent IS NULL OR agent = $3)
    ORDER BY seq DESC LIMIT $4`,
};

/** The project and all below it. */
export const FAMILY = `WITH RECURSIVE family AS (
    SELECT id FROM project WHERE id = $1 UNION SELECT p.id FROM family f JOIN project p ON p.parent_id = f.id
  )`;

/** The rows that tell of a delivery, in the histories of the family. */
export const DELIVERED = `${FAMILY}
  SELECT f.id AS "projectId", g.seq, g.events, g.at FROM family f CROSS JOIN LATERAL (
    SELECT seq, events, at FROM event_group
    WHERE project_id = f.id AND at >= $2 AND ${NOTABLE} AND strpos(events, '["note.delivered",') > 0 ORDER BY seq LIMIT $3
  ) g ORDER BY g.at, f.id, g.seq LIMIT $3`;
const MOST_GROUPS = 5_000;
const MOST_DELIVERIES = 100;

/** What people said to the agents of projects, by the project that no other started. */
export class PgNotes {
  private readonly roots: KnownRoots;

  constructor(
    private readonly pool: pg.Pool,
    /** Hears of each note that reached an agent of this process. */
    readonly reached: () => void = () => undefined,
  ) {
    this.roots = new KnownRoots(pool);
  }

  /** The newest `most` notes for an agent of a project that came after number `seen`, oldest first. */
  async after(projectId: string, agent: string, seen: number, most: number): Promise<readonly NoteRow[]> {
    return inWorldlyTerms(async () => {
      const root = (await this.roots.of(projectId)) ?? projectId;
      const { rows } = await this.pool.query<NoteRow>({ ...AFTER, values: [root, seen, agent, most] });
      return rows.reverse();
    });
  }

  async list(projectId: string, { cursor, limit }: PageQuery): Promise<Page<Note>> {
    const seen = cursor === undefined ? 0 : decodeNumberCursor(cursor);
    return inWorldlyTerms(async () => {
      const root = (await this.roots.of(projectId)) ?? projectId;
      const { rows } = await this.pool.query<NoteRow>(
        `SELECT ${COLUMNS} FROM note WHERE root_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
        [root, seen, limit + 1],
      );
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const deliveries = await this.deliveries(root, shown[0]?.at);
      const data = shown.map(({ at, ...note }) => ({
        ...note,
        at: at.toISOString(),
        deliveries: (deliveries.get(note.id) ?? []).slice(0, MOST_DELIVERIES),
      }));
      return { data, nextCursor: last ? encodeNumberCursor(last.number) : null };
    });
  }

  /** By note: each of the events that tell of it. */
  private async deliveries(root: string, since: Date | undefined): Promise<ReadonlyMap<string, NoteDelivery[]>> {
    const found = new Map<string, NoteDelivery[]>();
    if (since === undefined) return found;
    const { rows } = await this.pool.query<{ projectId: string; seq: number; events: string; at: Date }>(DELIVERED, [
      root,
      since,
      MOST_GROUPS,
    ]);
    for (const { projectId, at, ...group } of rows) {
      for (const { type, data } of numberedEvents(group)) {
        if (type !== 'note.delivered') continue;
        const note = textOf(data['note']);
        const delivery = { projectId, agent: textOf(data['role']), call: textOf(data['call']), at: at.toISOString() };
        found.set(note, [...(found.get(note) ?? []), delivery]);
      }
    }
    return found;
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
