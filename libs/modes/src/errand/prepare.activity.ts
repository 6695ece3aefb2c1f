import { type Activity, report } from '#engine';
import { enter } from '../shared/enter.js';
import { commitOf, orderOf, shown, type WorkParts } from '../shared/work-parts.js';

/** A worktree on the project's own branch; the repository's checkout is not touched. */
export const prepare =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { workshop, worktrees } = parts;
    const worktree = await enter(parts, activity);
    const commit = await activity.effect({
      step: 'look',
      settle: { kind: 'repeat' },
      run: () => worktrees.head(worktree),
    });
    const { kind: sandbox } = workshop.sandbox(orderOf(activity));
    const notes = [...(worktree.notes ?? [])];
    const patch = { ...shown(worktree, commitOf(activity) ?? commit), sandbox, notes };
    return report('worktree:ready', patch, { sandbox, ...(notes.length > 0 && { notes }) });
  };
