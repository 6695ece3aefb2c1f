import type pg from 'pg';
import {
  decodeNumberCursor,
  decodeTimeCursor,
  encodeNumberCursor,
  encodeTimeCursor,
  type MemoryEntry,
  type MemoryKind,
  type MemoryQuery,
  type NewMemory,
  type Page,
} from '#contracts';
import { EngineBug, idFromName, isUuid, newId, UserError } from '#kernel';
import { keptMs, type Lesson, type Memory, type Question, ranked, searchWords } from '#memory';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { COLUMNS, entryView, fingerprintOf, type MemoryRow, storable } from './memory-row.js';
import { SAVE } from './save.sql.js';

/** So many of the best by their words are weighed further. */
const MOST_CANDIDATES = 50;

const ALIVE = '(expires_at IS NULL OR expires_at > now())';
/** What holds for a repository: its own entries, and those of none. */
const HOLDS = `($1::text IS NULL OR repo IS NULL OR repo = $1) AND ($2::text[] IS NULL OR kind = ANY ($2))`;

interface Search {
  readonly text: string;
  readonly repo: string | null;
  readonly kinds: readonly MemoryKind[] | null;
  readonly domains: readonly string[];
}

/** Memory in Postgres. Times are the database's: workers may disagree about theirs. */
export class PgMemory implements Memory {
  constructor(private readonly pool: pg.Pool) {}

  async recall({ most, kinds, ...question }: Question): Promise<readonly MemoryEntry[]> {
    return (await this.search({ ...question, kinds: kinds ?? null })).slice(0, most);
  }

  async remember(lesson: Lesson): Promise<void> {
    const id = lesson.effect === undefined ? newId() : idFromName(`memory/${lesson.effect}`);
    await this.save(id, storable(lesson));
  }

  async list(query: MemoryQuery): Promise<Page<MemoryEntry>> {
    return query.query === undefined ? this.newest(query) : this.best(query.query, query);
  }

  async add(entry: NewMemory, id: string): Promise<MemoryEntry> {
    const lesson = storable({ ...entry, project: null });
    const saved = await this.save(id, lesson);
    // Somebody else was saving the same at the same moment.
    const found = saved ?? (await this.find(id, fingerprintOf(lesson)));
    if (!found) throw new EngineBug('MEMORY_UNSAVED', `the entry ${id} was neither saved nor there`);
    return entryView(found);
  }

  async forget(id: string): Promise<void> {
    const sql = `DELETE FROM memory WHERE id = $1 RETURNING id`;
    const gone = isUuid(id) ? await this.rows(sql, [id]) : [];
    if (gone.length > 0) return;
    throw new UserError('MEMORY_NOT_FOUND', `The memory has no entry ${id}. GET /v1/memory lists them.`);
  }

  private async newest({ repo, kind, cursor, limit }: MemoryQuery): Promise<Page<MemoryEntry>> {
    const { at, id } = cursor === undefined ? { at: null, id: null } : decodeTimeCursor(cursor);
    const rows = await this.rows<MemoryRow>(
      `SELECT ${COLUMNS} FROM memory
       WHERE ${HOLDS} AND ${ALIVE} AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $5`,
      [repo ?? null, kindsOf(kind), at, id, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { data: shown.map(entryView), nextCursor: last ? encodeTimeCursor(last.createdAt, last.id) : null };
  }

  private async best(text: string, { kind, domain, cursor, limit, ...query }: MemoryQuery): Promise<Page<MemoryEntry>> {
    const from = cursor === undefined ? 0 : decodeNumberCursor(cursor);
    const domains = domain === undefined ? [] : [domain];
    const found = await this.search({ text, repo: query.repo ?? null, kinds: kindsOf(kind), domains });
    const nextCursor = found.length > from + limit ? encodeNumberCursor(from + limit) : null;
    return { data: found.slice(from, from + limit), nextCursor };
  }

  /** Any of the words will do: a long request would find nothing that has all of them. */
  private async search({ text, repo, kinds, domains }: Search): Promise<readonly MemoryEntry[]> {
    const words = searchWords(text);
    if (words.length === 0) return [];
    const rows = await this.rows<MemoryRow & { readonly textRank: number; readonly ageMs: number }>(
      `SELECT ${COLUMNS}, ts_rank(search, wanted) AS "textRank",
         (extract(epoch FROM now() - learnt_at) * 1000)::float8 AS "ageMs"
       FROM memory, to_tsquery('english', $3) AS wanted
       WHERE search @@ wanted AND ${HOLDS} AND ${ALIVE}
       ORDER BY "textRank" DESC, learnt_at DESC, id LIMIT $4`,
      [repo, kinds, words.join(' | '), MOST_CANDIDATES],
    );
    const candidates = rows.map(({ textRank, ageMs, ...row }) => ({ entry: entryView(row), textRank, ageMs }));
    return ranked(candidates, domains);
  }

  /** The entry; undefined where one of that id is there with other words, or somebody was faster. */
  private async save(id: string, lesson: Lesson): Promise<MemoryRow | undefined> {
    const { kind, repo, domains, title, body, project } = lesson;
    const values = [fingerprintOf(lesson), keptMs(kind), domains, project, id, kind, repo, title, body];
    return (await this.rows<MemoryRow>(SAVE, values))[0];
  }

  private async find(id: string, fingerprint: string): Promise<MemoryRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM memory WHERE id = $1 OR fingerprint = $2 LIMIT 1`;
    return (await this.rows<MemoryRow>(sql, [id, fingerprint]))[0];
  }

  private rows<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    return inWorldlyTerms(async () => (await this.pool.query<T>(sql, values)).rows);
  }
}

const kindsOf = (kind: MemoryKind | undefined): readonly MemoryKind[] | null => (kind === undefined ? null : [kind]);
