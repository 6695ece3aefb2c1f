import { eventually } from '#testing';
import type { ServiceProcess } from '../../harness/service-process.js';
import { type Lab, openLab } from './lab.js';

const REST_WITHIN_MS = 15_000;

/** Whatever some worker would still take, and whatever this one holds. What is timed for a project that has ended is not. */
const UNREST = `SELECT 1 FROM project p WHERE p.runnable OR EXISTS
  (SELECT 1 FROM worker w WHERE w.id = p.lease_worker AND w.pid = $1)
  UNION ALL SELECT 1 FROM outbox UNION ALL SELECT 1 FROM timer t JOIN project p ON p.id = t.project_id
  WHERE p.status NOT IN ('completed', 'aborted', 'failed') LIMIT 1`;

/** Clients of the database that are in the middle of something, the asking one aside. */
const BUSY = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
  AND pid <> pg_backend_pid() AND state <> 'idle' LIMIT 1`;

/** A lab with a worker that is held still while others work and die, and then finishes what they left. */
export class StandbyLab {
  private constructor(
    readonly lab: Lab,
    private readonly worker: ServiceProcess,
  ) {}

  static async open(): Promise<StandbyLab> {
    const lab = await openLab();
    try {
      const one = new StandbyLab(lab, await lab.process({ role: 'worker' }));
      await one.hold();
      return one;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  /** Lets it go on: it has lost its lease meanwhile, and takes what is there to take. */
  letGo(): void {
    this.worker.child.kill('SIGCONT');
  }

  /**
   * Waits until nothing is left to do, so that nobody who comes next meets it, and stops the worker between two of its
   * transactions: stopped within one it would keep its locks from everybody.
   */
  async hold(): Promise<void> {
    const { pool } = this.lab;
    const isEmpty = async (sql: string, values: unknown[] = []): Promise<boolean> =>
      (await pool.query(sql, values)).rowCount === 0;
    const isStill = async (): Promise<boolean> => {
      if (!(await isEmpty(UNREST, [this.worker.pid]))) return false;
      this.worker.child.kill('SIGSTOP');
      if ((await isEmpty(BUSY)) && (await isEmpty(UNREST, [this.worker.pid]))) return true;
      this.letGo();
      return false;
    };
    await eventually('everything rests', isStill, { deadlineMs: REST_WITHIN_MS, everyMs: 30 });
  }

  close(): Promise<void> {
    return this.lab.close();
  }
}
