import type pg from 'pg';
import type { NewEvent, SignalBody } from '#engine';
import type { Json } from '#kernel';
import { appendEvents } from '../projects/event-group.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { inTransaction } from '../projects/pool.js';
import { sendSignal } from '../projects/send-signal.js';

/** A project that works on a repository and that no other started. */
export interface ControlledProject {
  readonly id: string;
  readonly name: string;
  readonly repo: string;
}

/** What is known of a project's CONTROL.md. */
export interface KeptControl<T> {
  readonly version: number;
  readonly taken: readonly T[];
  readonly problem: string | null;
}

/** What a look at the file leads to: a signal with its event, or an event alone. */
export interface ControlWord {
  readonly event: NewEvent;
  readonly body?: SignalBody;
}

/** More than one worker can look at; whoever has more has been told so by the machine before. */
const MOST_PROJECTS = 1_000;

/** The projects at work, by an index that has no others. */
export const LIVE = `SELECT id, name, repo_path AS repo FROM project
WHERE repo_path IS NOT NULL AND parent_id IS NULL AND status NOT IN ('completed', 'aborted', 'failed')
ORDER BY created_at DESC LIMIT $1`;

/** The record of what was taken out of files. Whoever saves names what it has read; the second one loses. */
export class PgControlFiles<T extends Json> {
  constructor(private readonly pool: pg.Pool) {}

  live(): Promise<readonly ControlledProject[]> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<ControlledProject>(LIVE, [MOST_PROJECTS]);
      return rows;
    });
  }

  load(projectId: string): Promise<KeptControl<T>> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<{ version: number; taken: string; problem: string | null }>(
        'SELECT version, taken, problem FROM control_file WHERE project_id = $1',
        [projectId],
      );
      const [row] = rows;
      return row ? { ...row, taken: JSON.parse(row.taken) as T[] } : { version: 0, taken: [], problem: null };
    });
  }

  stateOf(projectId: string): Promise<string> {
    return inWorldlyTerms(async () => {
      const sql = 'SELECT state FROM project WHERE id = $1';
      const { rows } = await this.pool.query<{ state: string }>(sql, [projectId]);
      return rows[0]?.state ?? '';
    });
  }

  /** All of it or, where somebody else was first, nothing: then false. */
  save(projectId: string, kept: KeptControl<T>, words: readonly ControlWord[]): Promise<boolean> {
    return inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        const { version, taken, problem } = kept;
        const saved = await client.query(SAVE, [projectId, version, JSON.stringify(taken), problem]);
        if (saved.rowCount === 0) return false;
        for (const { body, event } of words) {
          if (body) await sendSignal(client, projectId, 'service', body, event);
          else await appendEvents(client, projectId, [event]);
        }
        return true;
      }),
    );
  }
}

const SAVE = `
INSERT INTO control_file (project_id, version, taken, problem) VALUES ($1, $2::int + 1, $3, $4)
ON CONFLICT (project_id) DO UPDATE SET version = excluded.version, taken = excluded.taken, problem = excluded.problem
WHERE control_file.version = $2`;
