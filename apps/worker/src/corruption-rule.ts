import type pg from 'pg';
import type { CorruptionRule } from '#engine';
import { appendEvents, type PgCheckpoints, type PgRestore } from '#persistence';
import type { ScratchKeeper } from '#workspace';

/**
 * What happens to a project whose newest checkpoint is bad: it goes on from the last good one, or it is held for a
 * person. Either way the bad link is named in the project's events and never used again.
 */
export function corruptionRule(
  rule: 'last-good' | 'hold',
  parts: { pool: pg.Pool; restore: PgRestore; checkpoints: PgCheckpoints; keeper: ScratchKeeper },
): CorruptionRule {
  const filesBack = (projectId: string) => async (good: { body: { commit: string | null } }) => {
    if (good.body.commit !== null) await parts.keeper.reset(projectId, good.body.commit);
  };
  return {
    apply: async (projectId, found) => {
      if (rule === 'last-good' && (await parts.restore.restoreLastGood(projectId, filesBack(projectId))) !== null) {
        return true;
      }
      await holdForPerson(parts, projectId, found);
      return false;
    },
  };
}

/** Nothing moves the project until a person restores a checkpoint. */
export async function holdForPerson(
  { pool, checkpoints }: { pool: pg.Pool; checkpoints: PgCheckpoints },
  projectId: string,
  { seq, reason }: { seq: number; reason: string },
): Promise<void> {
  await checkpoints.verify(projectId);
  await pool.query(`UPDATE project SET status = 'blocked', waiting = $2, runnable = false WHERE id = $1`, [
    projectId,
    JSON.stringify({ kind: 'checkpoint', seq, reason }),
  ]);
  await appendEvents(pool, projectId, [{ type: 'project.held', data: { seq, reason, rule: 'hold' } }]);
}
