import { type Activity, report } from '#engine';
import { commitOf, enter, type ErrandParts, orderOf, shown } from './errand-context.js';

/** A worktree on the project's own branch; the repository's checkout is not touched. */
export const prepare =
  ({ workshop, worktrees }: ErrandParts): Activity =>
  async (activity) => {
    const worktree = await enter(workshop, activity);
    const commit = await activity.effect({
      step: 'look',
      settle: { kind: 'repeat' },
      run: () => worktrees.head(worktree),
    });
    const sandbox = workshop.sandboxKind(orderOf(activity));
    return report('worktree:ready', { ...shown(worktree, commitOf(activity) ?? commit), sandbox }, { sandbox });
  };
