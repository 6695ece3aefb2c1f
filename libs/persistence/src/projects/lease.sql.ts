import { PROJECT_COLUMNS } from './load-project.js';

/** $1 project, $2 worker. No row: there is nothing to do, or a live worker holds it. */
export const CLAIM = `
WITH before AS (
  SELECT p.id, p.lease_worker FROM project p WHERE p.id = $1 AND p.runnable AND (
    p.lease_worker IS NULL OR p.lease_worker = $2
    OR NOT EXISTS (SELECT 1 FROM worker w WHERE w.id = p.lease_worker AND w.alive_until > now())
  ) FOR UPDATE
)
UPDATE project p SET lease_worker = $2, lease_epoch = p.lease_epoch + 1 FROM before WHERE p.id = before.id
RETURNING ${PROJECT_COLUMNS}, p.mode, p.version, p.head_checksum, p.lease_epoch, p.writes, p.signal_seq,
  before.lease_worker AS taken_from`;

/** $1 project, $2 epoch, $3 worker, $4 runnable, $5 newest signal seen (null: any). No row: the lease was not ours. */
export const RELEASE = `
UPDATE project p SET
  lease_worker = CASE WHEN $5::int IS NULL OR p.signal_seq <= $5 THEN NULL ELSE p.lease_worker END,
  runnable = CASE WHEN $5::int IS NULL OR p.signal_seq <= $5 THEN $4::boolean ELSE p.runnable END
WHERE p.id = $1 AND p.lease_epoch = $2 AND p.lease_worker = $3
RETURNING CASE WHEN p.lease_worker IS NULL THEN 'released' ELSE 'signalled' END AS outcome`;

/** Children of one visit that have ended. */
export const ENDED_CHILDREN = `
SELECT p.id, p.parent_key, p.status, p.version, p.head_checksum FROM project p
WHERE p.parent_id = $1 AND p.parent_incarnation = $2 AND p.parent_visit = $3
  AND p.status IN ('completed', 'aborted', 'failed')
ORDER BY p.parent_key`;

/** $1 project. Whoever claims it looks at its newest link. */
export const HAVE_CLAIMED = `
WITH suspect AS (UPDATE project SET runnable = true WHERE id = $1 RETURNING id, traceparent)
INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM suspect`;
