import type pg from 'pg';
import type { WakeUp, WorkerStore } from '#engine';
import { inWorldlyTerms } from './pg-errors.js';

export interface WorkerIdentity {
  readonly host: string;
  readonly pid: number;
  readonly pidStartedAt: string;
}

/** What keeps workers alive and fed, on Postgres and by its clock alone. */
export class PgWorkerStore implements WorkerStore {
  constructor(
    private readonly pool: pg.Pool,
    private readonly identity: WorkerIdentity,
  ) {}

  heartbeat(workerId: string, ttlMs: number): Promise<readonly { projectId: string; signal: number }[]> {
    return this.rows(
      `WITH beat AS (
         INSERT INTO worker (id, host, pid, pid_started_at, alive_until)
         VALUES ($1, $3, $4, $5, now() + $2::int * interval '1 millisecond')
         ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
       )
       SELECT id AS "projectId", signal_seq AS signal FROM project WHERE lease_worker = $1`,
      [workerId, ttlMs, this.identity.host, this.identity.pid, this.identity.pidStartedAt],
    );
  }

  async retire(workerId: string): Promise<void> {
    await this.rows(
      `WITH gone AS (DELETE FROM worker WHERE id = $1)
       UPDATE project SET lease_worker = NULL WHERE lease_worker = $1`,
      [workerId],
    );
  }

  /** Workers of this host whose process is gone need not be waited for: what they held is free at once. */
  async buryDead(isAlive: (pid: number, startTime: string) => boolean): Promise<readonly string[]> {
    const known = await this.rows<{ id: string; pid: number; pid_started_at: string }>(
      'SELECT id, pid, pid_started_at FROM worker WHERE host = $1',
      [this.identity.host],
    );
    const dead = known.filter((worker) => !isAlive(worker.pid, worker.pid_started_at)).map((worker) => worker.id);
    if (dead.length > 0) await this.rows('DELETE FROM worker WHERE id = ANY($1)', [dead]);
    return dead;
  }

  async fireDueTimers(limit: number): Promise<number> {
    const fired = await this.rows<{ seq: number }>(FIRE_DUE, [limit]);
    return fired.length;
  }

  takeOutbox(limit: number): Promise<readonly WakeUp[]> {
    return this.rows(
      `SELECT id::text AS id, project_id AS "projectId", traceparent FROM outbox ORDER BY outbox.id LIMIT $1`,
      [limit],
    );
  }

  async confirmOutbox(ids: readonly string[]): Promise<void> {
    await this.rows('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [ids]);
  }

  async stranded(workerId: string, except: readonly string[], limit: number): Promise<readonly string[]> {
    const rows = await this.rows<{ id: string }>(
      `SELECT p.id FROM project p WHERE p.runnable AND (p.lease_worker IS NULL OR p.lease_worker = $1
         OR NOT EXISTS (SELECT 1 FROM worker w WHERE w.id = p.lease_worker AND w.alive_until > now()))
         AND p.id <> ALL($3::uuid[])
       ORDER BY p.updated_at LIMIT $2`,
      [workerId, limit, except],
    );
    return rows.map((row) => row.id);
  }

  private rows<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    return inWorldlyTerms(async () => (await this.pool.query<T>(sql, values)).rows);
  }
}

/** A timer of a project that somebody is writing to is left for the next round: one busy project delays no other. */
const FIRE_DUE = `
WITH due AS (
  DELETE FROM timer t USING (
    SELECT t.project_id, t.visit, t.event FROM timer t JOIN project p ON p.id = t.project_id
    WHERE t.fire_at <= now() AND (t.event = '' OR p.status <> 'paused') ORDER BY t.fire_at LIMIT $1 FOR UPDATE OF t, p SKIP LOCKED
  ) d WHERE t.project_id = d.project_id AND t.visit = d.visit AND t.event = d.event
  RETURNING t.project_id, t.visit, t.event, t.fire_at
), numbered AS (
  SELECT due.*, row_number() OVER (PARTITION BY project_id ORDER BY fire_at) AS nth FROM due
), target AS (
  UPDATE project p SET signal_seq = p.signal_seq + d.fired, runnable = true
  FROM (SELECT project_id, count(*)::int AS fired FROM due GROUP BY project_id) d WHERE p.id = d.project_id
  RETURNING p.id, p.signal_seq - d.fired AS base, p.traceparent
), woken AS (
  INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM target
)
INSERT INTO signal (project_id, seq, by, body)
SELECT t.id, t.base + n.nth, 'engine', CASE WHEN n.event = ''
    THEN json_build_object('kind', 'wake', 'visit', n.visit)::text
    ELSE json_build_object('kind', 'timer', 'visit', n.visit, 'event', n.event)::text END
FROM target t JOIN numbered n ON n.project_id = t.id RETURNING seq`;
