import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { codingOrderOf, type CodingParts, placeOf } from '../coding-context.js';

interface Wish {
  readonly commit: string;
  /** The message of a commit that is made in any case; null: only where there is something to commit. */
  readonly finalMessage: string | null;
}

/** The final commit: with `commitArtifacts` the project's readable files go onto its branch. The commit that it ends at. */
export async function commitReadable(
  { worktrees, artefacts }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, finalMessage }: Wish,
): Promise<string> {
  const isWanted = codingOrderOf(activity).commitArtifacts;
  if (!isWanted && finalMessage === null) return commit;
  return activity.effect({
    step: 'commit',
    settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
    run: async (run) => {
      await worktrees.reset(worktree, commit);
      const files = isWanted ? await artefacts.files(placeOf(activity)) : [];
      const message = finalMessage ?? `Readable files of ${activity.project.name}`;
      return worktrees.commitFiles(worktree, files, message, activity.checkpoint, run);
    },
  });
}
