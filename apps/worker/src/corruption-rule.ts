import type pg from 'pg';
import type { CorruptionRule } from '#engine';
import { appendEvents, type PgCheckpoints, type PgRestore } from '#persistence';

/**
 * What happens to a project whose newest checkpoint is bad: it goes on from the last good one, or it is held for a
 * person. Either way the bad link is named in the project's events and never used again.
 */
export function corruptionRule(
  rule: 'last-good' | 'hold',
  parts: { pool: pg.Pool; restore: PgRestore; checkpoints: PgCheckpoints },
): CorruptionRule {
  return {
    apply: async (projectId, found) => {
      if (rule === 'last-good' && (await parts.restore.restoreLastGood(projectId)) !== null) return true;
      await parts.checkpoints.verify(projectId);
      const waiting = JSON.stringify({ kind: 'checkpoint', seq: found.seq, reason: found.reason });
      await parts.pool.query(`UPDATE project SET status = 'blocked', waiting = $2, runnable = false WHERE id = $1`, [
        projectId,
        waiting,
      ]);
      const data = { seq: found.seq, reason: found.reason, rule: 'hold' };
      await appendEvents(parts.pool, projectId, [{ type: 'project.held', data }]);
      return false;
    },
  };
}
