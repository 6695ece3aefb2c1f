import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import type { WorkModeParts } from './work-context.js';

const MOST_FILES = 200;

/** What a step changed in all, without what tells of the project itself. */
export interface Changes {
  /** Paths that are there now, and are new or other than before. */
  readonly there: readonly string[];
  readonly deleted: readonly string[];
}

interface Wish {
  readonly from: string;
  readonly to: string;
  readonly file: string | null;
  /** Must differ if one visit looks more than once. */
  readonly effect: string;
}

export const changesOf = (
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to, file, effect }: Wish,
): Promise<Changes> =>
  repeatable(activity, effect, async () => {
    const { files } = await worktrees.diff(worktree, from, to);
    const own = files.filter(({ path }) => !path.startsWith('.qralph/'));
    const there = own.filter(({ status }) => status !== 'deleted');
    // Of many the document is among those that are looked at.
    const first = there.toSorted((a, b) => Number(b.path === file) - Number(a.path === file)).slice(0, MOST_FILES);
    const gone = own.flatMap(({ path, status, from: before }) => (status === 'deleted' ? [path] : (before ?? [])));
    return {
      there: first.map(({ path }) => path),
      deleted: gone.slice(0, MOST_FILES),
    };
  });
