import type pg from 'pg';
import type { ProcessRecord, ProcessRegistry } from '#process-monitor';
import { inWorldlyTerms } from '../projects/pg-errors.js';

const COLUMNS = `host, pid, start_time AS "startTime", process_group AS "group", project_id AS "projectId", purpose,
  worker_id AS "workerId"`;

export class PgProcessRegistry implements ProcessRegistry {
  constructor(private readonly pool: pg.Pool) {}

  async register(record: ProcessRecord): Promise<void> {
    const { host, pid, startTime, group, projectId, purpose, workerId } = record;
    await this.rows(
      `INSERT INTO process (host, pid, start_time, process_group, project_id, purpose, worker_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [host, pid, startTime, group, projectId, purpose, workerId],
    );
  }

  async release({ host, pid, startTime }: Pick<ProcessRecord, 'host' | 'pid' | 'startTime'>): Promise<void> {
    await this.rows('DELETE FROM process WHERE host = $1 AND pid = $2 AND start_time = $3', [host, pid, startTime]);
  }

  ofProject(projectId: string): Promise<readonly ProcessRecord[]> {
    return this.rows(`SELECT ${COLUMNS} FROM process WHERE project_id = $1`, [projectId]);
  }

  orphans(host: string): Promise<readonly ProcessRecord[]> {
    return this.rows(
      `SELECT ${COLUMNS} FROM process p WHERE host = $1
         AND NOT EXISTS (SELECT 1 FROM worker w WHERE w.id = p.worker_id AND w.alive_until > now())`,
      [host],
    );
  }

  private rows<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    return inWorldlyTerms(async () => (await this.pool.query<T>(sql, values)).rows);
  }
}
