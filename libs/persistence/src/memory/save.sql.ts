import { COLUMNS } from './memory-row.js';

const EXPIRY = `now() + $2::float8 * interval '1 millisecond'`;

/**
 * Saves an entry, or makes the one with the same words young again; whatever else has expired goes on the way, so that
 * nobody else has to sweep. Two at once with the same id or words are one: the second inserts nothing.
 */
export const SAVE = `
WITH swept AS (DELETE FROM memory WHERE expires_at <= now() AND fingerprint <> $1),
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
