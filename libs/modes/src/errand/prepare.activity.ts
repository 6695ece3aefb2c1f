import { type Activity, report } from '#engine';
import { open } from '../shared/enter.js';
import type { WorkParts } from '../shared/work-parts.js';

/** A worktree on the project's own branch; the repository's checkout is not touched. */
export const prepare =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { worktree, patch } = await open(parts, activity);
    const { sandbox = null } = patch;
    const notes = [...(worktree.notes ?? [])];
    return report('worktree:ready', patch, { sandbox, ...(notes.length > 0 && { notes }) });
  };
