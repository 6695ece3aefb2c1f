import type pg from 'pg';
import { UserError } from '#kernel';
import { inWorldlyTerms } from '../projects/pg-errors.js';

/**
 * How fast a key may steer a project: so many calls a minute, all of them at once if it likes. One row for each pair,
 * whoever answers: it has the time by which all calls would be worked off at that pace, which may not be further away
 * than a minute. A call that is refused changes nothing.
 */
export class PgPace {
  constructor(
    private readonly pool: pg.Pool,
    /** 0: as fast as anybody likes. */
    private readonly perMinute: number,
  ) {}

  /** Counts a call, or answers with why it comes too soon. */
  async take(projectId: string, keyId: string): Promise<UserError | null> {
    const { perMinute } = this;
    if (perMinute === 0) return null;
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ taken: boolean; waitS: number }>(TAKE, [projectId, keyId, 60 / perMinute]),
    );
    const [row] = rows;
    if (!row || row.taken) return null;
    const retryAfterS = Math.max(1, Math.ceil(row.waitS));
    return new UserError(
      'STEERED_TOO_FAST',
      `this key may send a project ${String(perMinute)} commands, notes and decisions a minute: wait ${String(retryAfterS)} s`,
      { perMinute, retryAfterS },
    );
  }
}

/** $3: the seconds that one call takes at this pace. */
const TAKE = `
WITH taken AS (
  INSERT INTO steering_pace AS pace (project_id, key_id, free_at)
  VALUES ($1, $2, now() + $3::float8 * interval '1 second')
  ON CONFLICT (project_id, key_id) DO UPDATE
    SET free_at = greatest(pace.free_at, now()) + $3::float8 * interval '1 second'
    WHERE greatest(pace.free_at, now()) + $3::float8 * interval '1 second' <= now() + interval '1 minute'
  RETURNING 1
)
SELECT EXISTS (SELECT 1 FROM taken) AS taken, COALESCE((
  SELECT extract(epoch FROM free_at - now())::float8 + $3::float8 - 60 FROM steering_pace
  WHERE project_id = $1 AND key_id = $2
), 0) AS "waitS"`;
