import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab } from './lab.js';

type Question = { readonly id: string; readonly machine: string };

/** Whether an effect that only a person can settle did happen: looked up where it leaves its mark. */
export async function hasHappened(lab: Pick<Lab, 'pool' | 'dataDir'>, at: Question, key: string): Promise<boolean> {
  if (at.machine === 'drill' && key.endsWith('/announce')) return wasAnnounced(lab, at.id, key);
  throw new Error(`nobody knows how to find out whether ${key} of ${at.machine} happened`);
}

/** Each announcement is one line: a line more than there are settled announcements is the one in question. */
async function wasAnnounced(
  { pool, dataDir }: Pick<Lab, 'pool' | 'dataDir'>,
  id: string,
  key: string,
): Promise<boolean> {
  const path = join(dataDir, 'scratch', id, '.git', 'announcements');
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean).length;
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM effect WHERE project_id = $1 AND key LIKE '%/announce' AND key <> $2 AND status = 'done'`,
    [id, key],
  );
  return lines > (rows[0]?.n ?? 0);
}
