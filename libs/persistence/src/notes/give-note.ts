import type pg from 'pg';
import type { NoteAccepted, Principal } from '#contracts';
import { secrets, UserError } from '#kernel';
import { ENDED } from '../api/project-row.js';
import { appendEvents } from '../projects/event-group.js';
import { inTransaction } from '../projects/pool.js';

export interface NewNote {
  /** Given once for each: a repeated one changes nothing. */
  readonly id: string;
  readonly projectId: string;
  readonly agent: string | null;
  readonly text: string;
  readonly by: Principal;
  readonly keyId: string;
}

/** Of a note, as its event has it; the note itself has all of it. */
const LONGEST_TOLD = 500;

/** A note and the event that tells of it. It is numbered under the lock of the project: no number is seen before a lower one. */
export async function giveNote(pool: pg.Pool, note: NewNote): Promise<NoteAccepted> {
  const { id, projectId, agent, by, keyId } = note;
  const text = secrets.redact(note.text);
  return inTransaction(pool, async (client) => {
    const status = await lockedStatus(client, projectId);
    const known = await client.query<NoteAccepted>(
      'SELECT id, root_id AS "projectId", seq AS number, agent FROM note WHERE root_id = $1 AND id = $2',
      [projectId, id],
    );
    if (known.rows[0]) return known.rows[0];
    if (ENDED.includes(status)) {
      throw new UserError('PROJECT_ENDED', `the project has ended (${status}): nobody would read the note`, { status });
    }
    const { rows } = await client.query<{ number: number }>(
      `INSERT INTO note (root_id, seq, id, agent, text, by, key_id)
       SELECT $1, COALESCE(max(seq), 0) + 1, $2, $3, $4, $5, $6 FROM note WHERE root_id = $1 RETURNING seq AS number`,
      [projectId, id, agent, text, by, keyId],
    );
    const number = rows[0]?.number ?? 0;
    const words = text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD)}…` : text;
    const data = { note: id, number, agent, text: words, by, key: keyId };
    await appendEvents(client, projectId, [{ type: 'note.given', data }]);
    return { id, projectId, number, agent };
  });
}

/** A fork goes on with all that was said: also what was said after the checkpoint is a person's word. */
export async function copyNotes(client: Pick<pg.PoolClient, 'query'>, from: string, to: string): Promise<void> {
  await client.query(
    `INSERT INTO note (root_id, seq, id, agent, text, by, key_id, created_at)
     SELECT $2, seq, id, agent, text, by, key_id, created_at FROM note WHERE root_id = $1
     ON CONFLICT DO NOTHING`,
    [from, to],
  );
}

/** Whoever else gives one waits here. */
async function lockedStatus(client: pg.PoolClient, projectId: string): Promise<string> {
  const { rows } = await client.query<{ status: string }>('SELECT status FROM project WHERE id = $1 FOR UPDATE', [
    projectId,
  ]);
  const [project] = rows;
  if (project) return project.status;
  throw new UserError('PROJECT_NOT_FOUND', `There is no project ${projectId}.`);
}
