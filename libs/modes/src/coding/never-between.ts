import type { ActivityContext } from '#engine';
import { neverHealed } from '#self-heal';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import type { CodingParts } from './coding-context.js';

/** Why nobody but a person may make the change between two commits; null where nothing speaks against it. */
export const neverBetween = (
  { worktrees }: Pick<CodingParts, 'worktrees'>,
  activity: ActivityContext,
  worktree: Worktree,
  from: string,
  to: string,
): Promise<string | null> =>
  repeatable(activity, 'never', async () => {
    const { patch, isCut } = await worktrees.diff(worktree, from, to);
    return neverIn(patch, isCut);
  });

/** Judged whole: what is shown of a long one may end before the part that nobody may mend by itself. */
export const neverIn = (patch: string, isCut: boolean): string | null =>
  isCut ? 'the change is too large to be looked at whole' : neverHealed({ output: '', diff: patch });
