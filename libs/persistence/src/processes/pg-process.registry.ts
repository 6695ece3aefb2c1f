import type pg from 'pg';
import type { Lease } from '#engine';
import type { KnownProcess, ListedProcess, ProcessList, ProcessRecord, ProcessRegistry } from '#process-monitor';
import { inWorldlyTerms } from '../projects/pg-errors.js';

const COLUMNS = `host, pid, start_time AS "startTime", process_group AS "group", project_id AS "projectId", purpose,
  worker_id AS "workerId"`;

export class PgProcessRegistry implements ProcessRegistry, ProcessList {
  constructor(private readonly pool: pg.Pool) {}

  /** The project's row is locked meanwhile: a take-over comes wholly before or wholly after. */
  async register(record: ProcessRecord, lease: Lease): Promise<boolean> {
    const { host, pid, startTime, group, projectId, purpose, workerId } = record;
    const registered = await this.rows(
      `WITH held AS (
         SELECT id FROM project WHERE id = $5 AND lease_epoch = $8 AND lease_worker = $7 FOR SHARE
       )
       INSERT INTO process (host, pid, start_time, process_group, project_id, purpose, worker_id)
       SELECT $1, $2, $3, $4, held.id, $6, $7 FROM held RETURNING pid`,
      [host, pid, startTime, group, projectId, purpose, workerId, lease.epoch],
    );
    return registered.length === 1;
  }

  async release({ host, pid, startTime }: Pick<ProcessRecord, 'host' | 'pid' | 'startTime'>): Promise<void> {
    await this.rows('DELETE FROM process WHERE host = $1 AND pid = $2 AND start_time = $3', [host, pid, startTime]);
  }

  ofProject(projectId: string): Promise<readonly ProcessRecord[]> {
    return this.rows(`SELECT ${COLUMNS} FROM process WHERE project_id = $1`, [projectId]);
  }

  onHost(host: string): Promise<readonly KnownProcess[]> {
    return this.rows(
      `SELECT ${COLUMNS}, NOT EXISTS (
         SELECT 1 FROM worker w JOIN project held ON held.lease_worker = w.id
         WHERE w.id = process.worker_id AND held.id = process.project_id
       ) AS "isAbandoned"
       FROM process WHERE host = $1`,
      [host],
    );
  }

  list(projectId?: string): Promise<readonly ListedProcess[]> {
    return this.rows(
      `SELECT ${COLUMNS}, started_at AS "startedAt" FROM process
       WHERE $1::uuid IS NULL OR project_id = $1 ORDER BY started_at, host, pid`,
      [projectId ?? null],
    );
  }

  private rows<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    return inWorldlyTerms(async () => (await this.pool.query<T>(sql, values)).rows);
  }
}
