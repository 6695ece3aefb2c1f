import type pg from 'pg';
import { decodeTimeCursor, encodeTimeCursor, type HealPattern, type Page, type PatternQuery } from '#contracts';
import { idFromName, secrets, wellFormed } from '#kernel';
import type { Fix, HealPatterns } from '#self-heal';
import { inWorldlyTerms } from '../projects/pg-errors.js';

interface PatternRow extends Omit<HealPattern, 'createdAt' | 'usedAt' | 'retiredAt'> {
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly retiredAt: Date | null;
}

const PATTERN = `id, repo, signature, error, fix, diff, tier, successes, failures, project,
  created_at AS "createdAt", used_at AS "usedAt", retired_at AS "retiredAt"`;

/** Kept of what may be long. */
const LONGEST_TEXT = 8_000;
const LONGEST_DIFF = 64_000;

/**
 * Effects whose success or failure was counted stay with the pattern, the newest of them: an effect is repeated soon
 * after itself or never. The row is locked by the statement that looks, so that two at once count once as well.
 */
const EFFECTS_KEPT = 200;
const withEffect = (effect: string): string =>
  `(p.effects || ${effect})[greatest(1, cardinality(p.effects) + 2 - ${String(EFFECTS_KEPT)}):]`;

/**
 * So many a repository keeps: first goes what is retired, then what was not used for longest. Whatever others have in
 * hand is left to them: who waits for one that waits for it is rolled back.
 */
export const MOST_PATTERNS = 1_000;
const MOST_FAILURES = 2;

const RETIRED = 'repo = $2 AND signature = $3 AND retired_at IS NOT NULL';

const WORKED = `WITH crowded AS (
    DELETE FROM heal_pattern WHERE id IN (SELECT id FROM heal_pattern WHERE id IN (
      SELECT id FROM heal_pattern WHERE repo = $2 AND id <> $1
      ORDER BY retired_at IS NULL DESC, used_at DESC, id OFFSET ${String(MOST_PATTERNS - 1)}) FOR UPDATE SKIP LOCKED)
  ), again AS (
    UPDATE heal_pattern p SET successes = successes + 1, used_at = now(), effects = ${withEffect('$9::text')}
    WHERE ${RETIRED} AND diff = $6 AND NOT $9::text = ANY(p.effects)
  )
  INSERT INTO heal_pattern AS p (id, repo, signature, error, fix, diff, tier, successes, failures, project, effects)
  SELECT $1::uuid, $2, $3, $4, $5, $6, $7, 1, 0, $8, ARRAY[$9::text]
  WHERE NOT EXISTS (SELECT FROM heal_pattern WHERE ${RETIRED} AND (diff = $6 OR $9::text = ANY(effects)))
  ON CONFLICT (id) DO UPDATE SET error = EXCLUDED.error, fix = EXCLUDED.fix, diff = EXCLUDED.diff, tier = EXCLUDED.tier,
    project = EXCLUDED.project, successes = p.successes + 1, used_at = now(), effects = ${withEffect('$9::text')}
  WHERE NOT $9::text = ANY(p.effects)`;
// A retired pattern gives its id up: another fix of the same error may take it.
const FAILED = `UPDATE heal_pattern p SET failures = p.failures + 1, used_at = now(), effects = ${withEffect('$2::text')},
    id = CASE WHEN p.failures + 1 >= ${String(MOST_FAILURES)} THEN gen_random_uuid() ELSE p.id END,
    retired_at = CASE WHEN p.failures + 1 >= ${String(MOST_FAILURES)} THEN now() END
  WHERE id = $1 AND NOT $2::text = ANY(p.effects)`;

/** What healed which error, for all projects on a repository. */
export class PgPatterns implements HealPatterns {
  constructor(private readonly pool: pg.Pool) {}

  async find(repo: string, signature: string): Promise<HealPattern | null> {
    const rows = await this.rows(`SELECT ${PATTERN} FROM heal_pattern WHERE id = $1 AND retired_at IS NULL`, [
      idOf(repo, signature),
    ]);
    return rows[0] ? view(rows[0]) : null;
  }

  async worked({ repo, signature, error, fix, diff, tier, project }: Fix, effect: string): Promise<void> {
    const texts = [kept(error, LONGEST_TEXT), kept(fix, LONGEST_TEXT), kept(diff, LONGEST_DIFF)];
    const id = idOf(repo, signature);
    await this.rows(WORKED, [id, storable(repo), storable(signature), ...texts, tier, storable(project), effect]);
  }

  async failed(repo: string, signature: string, effect: string): Promise<void> {
    await this.rows(FAILED, [idOf(repo, signature), effect]);
  }

  async list({ repo, limit, cursor }: PatternQuery): Promise<Page<HealPattern>> {
    const before = cursor === undefined ? null : decodeTimeCursor(cursor);
    const rows = await this.rows(
      `SELECT ${PATTERN} FROM heal_pattern
       WHERE ($1::text IS NULL OR repo = $1) AND ($2::timestamptz IS NULL OR (used_at, id) < ($2, $3::uuid))
       ORDER BY used_at DESC, id DESC LIMIT $4`,
      [repo === undefined ? null : storable(repo), before?.at ?? null, before?.id ?? null, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { data: shown.map(view), nextCursor: last ? encodeTimeCursor(last.usedAt, last.id) : null };
  }

  private rows(sql: string, values: unknown[]): Promise<PatternRow[]> {
    return inWorldlyTerms(async () => (await this.pool.query<PatternRow>(sql, values)).rows);
  }
}

const idOf = (repo: string, signature: string): string =>
  idFromName(JSON.stringify(['heal-pattern', storable(repo), storable(signature)]));

/** What Postgres takes: no U+0000, no half characters. */
const storable = (text: string): string => wellFormed(text).replaceAll('\u0000', '\ufffd');

/** Without secrets, which are looked for before the cut: half of one would not be known. */
function kept(text: string, most: number): string {
  const clean = secrets.redact(storable(text));
  return clean.length <= most ? clean : `${wellFormed(clean.slice(0, most))}\n[… cut]`;
}

const view = ({ createdAt, usedAt, retiredAt, ...row }: PatternRow): HealPattern => ({
  ...row,
  retiredAt: retiredAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt.toISOString(),
});
