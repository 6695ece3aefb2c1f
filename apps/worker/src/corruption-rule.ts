import type { CorruptionRule } from '#engine';
import type { JsonObject } from '#kernel';
import type { GoodLink, PgRestore } from '#persistence';
import type { ProjectKeeper } from './project-keeper.js';

/**
 * What happens to a project whose newest checkpoint is bad: it goes on from the last good one, or it is held for a
 * person. Either way the bad link is named in the project's events and never used again.
 */
export function corruptionRule(rule: 'last-good' | 'hold', restore: PgRestore, keeper: ProjectKeeper): CorruptionRule {
  return {
    apply: async (projectId, found) => {
      let begun: number | undefined;
      const filesBack = ({ body }: Pick<GoodLink, 'body'>, incarnation: number): Promise<JsonObject> => {
        begun = incarnation;
        return keeper.reset(projectId, body.commit, incarnation);
      };
      if (rule === 'last-good' && (await restore.restoreLastGood(projectId, filesBack)) !== null) {
        if (begun !== undefined) await keeper.settle(projectId, begun);
        return true;
      }
      await restore.hold(projectId, found);
      return false;
    },
  };
}
