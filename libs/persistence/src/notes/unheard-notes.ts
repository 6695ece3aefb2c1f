import type pg from 'pg';
import type { UnheardNote } from '#contracts';
import { NOTABLE } from '../projects/notable.js';
import { FAMILY } from './pg-notes.js';

const MOST = 100;

/** Of a project that no other one started. What its children's calls have carried was heard too. */
export async function unheardNotes(client: Pick<pg.Pool, 'query'>, rootId: string): Promise<readonly UnheardNote[]> {
  const { rows } = await client.query<UnheardNote>(
    `${FAMILY}
     SELECT n.seq AS number, n.agent, n.text FROM note n WHERE n.root_id = $1 AND NOT EXISTS (
       SELECT 1 FROM family f JOIN event_group g ON g.project_id = f.id
       WHERE g.at >= n.created_at AND ${NOTABLE} AND strpos(g.events, '["note.delivered",') > 0 AND strpos(g.events, n.id::text) > 0)
     ORDER BY n.seq LIMIT ${String(MOST)}`,
    [rootId],
  );
  return rows;
}
