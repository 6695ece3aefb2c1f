import { type Database, inTransaction, inWorldlyTerms, lockForkIfFree, nameOf } from '#persistence';
import type { ProjectKeeper } from '../../../worker/src/project-keeper.js';

export interface SweepParts {
  readonly pool: Database;
  readonly keeper: Pick<ProjectKeeper, 'forksBegun' | 'forked' | 'unfork'>;
  readonly onFailure: (projectId: string, error: unknown) => void;
}

/**
 * Takes away the files of forks whose process was killed before their project was there. One that somebody makes at this
 * moment is left alone, and so is all that no note of this data folder names: another service may work on the same
 * repository. The number of those that were taken away; one that fails holds up no other, and is tried at the next start.
 */
export async function sweepForks({ pool, keeper, onFailure }: SweepParts): Promise<number> {
  let swept = 0;
  for (const projectId of await keeper.forksBegun()) {
    try {
      if (await sweepFork({ pool, keeper }, projectId)) swept += 1;
    } catch (error) {
      onFailure(projectId, error);
    }
  }
  return swept;
}

/** Whether files were taken away: not where the project is there after all, nor where somebody makes it at this moment. */
export function sweepFork(
  { pool, keeper }: { readonly pool: Database; readonly keeper: Pick<ProjectKeeper, 'forked' | 'unfork'> },
  projectId: string,
): Promise<boolean> {
  return inWorldlyTerms(() =>
    inTransaction(pool, async (client) => {
      if (!(await lockForkIfFree(client, projectId))) return false;
      const isThere = (await nameOf(client, projectId)) !== null;
      if (!isThere) await keeper.unfork(projectId);
      await keeper.forked(projectId);
      return !isThere;
    }),
  );
}
