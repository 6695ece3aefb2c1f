import { COLUMNS } from './memory-row.js';

const EXPIRY = `now() + $2::float8 * interval '1 millisecond'`;

/** So many a repository keeps of what projects learnt on it. */
export const MOST_LESSONS = 2_000;

/** Whatever others have in hand is left to them: who waits for one that waits for it is rolled back. */
const deleting = (which: string): string =>
  `DELETE FROM memory WHERE id IN (SELECT id FROM memory WHERE ${which} FOR UPDATE SKIP LOCKED)`;

/**
 * Saves an entry, or makes the one with the same words young again. Whatever else has expired goes on the way, and what
 * is too many for its repository, so that nobody else has to sweep: first what was learnt longest ago, which counts least
 * for whoever asks; nothing that a person wrote. Two at once with the same id or words are one: the second inserts nothing.
 */
export const SAVE = `
WITH swept AS (${deleting('expires_at <= now() AND fingerprint <> $1')}),
crowded AS (${deleting(`id IN (SELECT id FROM memory
  WHERE $4::text IS NOT NULL AND repo = $7 AND project IS NOT NULL AND fingerprint <> $1
  ORDER BY learnt_at DESC, id OFFSET ${String(MOST_LESSONS - 1)})`)}),
refreshed AS (
  UPDATE memory SET learnt_at = now(), expires_at = ${EXPIRY}, project = COALESCE($4, project),
    domains = (ARRAY(SELECT DISTINCT unnest(domains || $3::text[]) LIMIT 16))
  WHERE fingerprint = $1 RETURNING ${COLUMNS}
),
made AS (
  INSERT INTO memory (id, kind, repo, domains, title, body, project, fingerprint, expires_at)
  SELECT $5::uuid, $6, $7, $3::text[], $8, $9, $4, $1, ${EXPIRY} WHERE NOT EXISTS (SELECT 1 FROM refreshed)
  ON CONFLICT DO NOTHING RETURNING ${COLUMNS}
)
SELECT * FROM refreshed UNION ALL SELECT * FROM made`;
