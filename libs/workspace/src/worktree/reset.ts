import { errorCode } from '#kernel';
import type { Checkout } from './checkout.js';
import { pointBack } from './entry.js';
import { keptFiles, patternOf } from './kept-files.js';
import { outliveOthers, removeStaleLocks } from './locks.js';
import { TRAILERS } from './names.js';
import { headOf } from './snapshot.js';
import { flattenTracked, giveRightsBack } from './tame-folder.js';

/** The files of a commit, and nothing beside them but what is ignored or, as the further arguments say, kept. */
const FILES_BACK = 'git read-tree --reset -u "$1" && shift && git clean -ffdq "$@"\n';

/**
 * Moves HEAD, and with it the branch. The commit that it leaves, if it is not the new one, stays reachable from the
 * project's snapshots: a later restore may go back to it.
 */
const HEAD_BACK = `ref=$1 message=$2 head=$3 old=$(git rev-parse -q --verify HEAD || true)
if [ "$old" = "$head" ]; then exit; fi
if [ -n "$old" ]; then
  last=$(git for-each-ref --format='%(objectname)' "$ref")
  git update-ref "$ref" "$(git commit-tree "$old^{tree}" -p "$old" \${last:+-p "$last"} -m "$message")"
fi
git update-ref -m 'reset to a checkpoint' HEAD "$head"
`;

export async function resetTo(checkout: Checkout, commit: string, head?: string): Promise<void> {
  const goal = head ?? (await headOf(checkout, commit));
  await outliveOthers(checkout);
  await removeStaleLocks(checkout);
  await writeFiles(checkout, commit);
  const message = `Left behind\n\n${TRAILERS.snapshot}: ${checkout.projectId}`;
  await checkout.script('move the branch', HEAD_BACK, [checkout.refs.work, message, goal]);
}

export async function writeFiles(checkout: Checkout, commit: string, signal?: AbortSignal): Promise<void> {
  const kept = (await keptFiles(checkout)).flatMap((path) => ['-e', patternOf(path)]);
  const run = () => checkout.script('put the files back', FILES_BACK, [commit, ...kept], signal && { signal });
  try {
    await pointBack(checkout);
    await run();
  } catch (error) {
    if (!['GIT_FAILED', 'REPO_NOT_WRITABLE', 'EACCES', 'EPERM', 'GIT_NOT_FOUND'].includes(errorCode(error)))
      throw error;
    // Folders that nobody may write to, or enter; whatever else it was fails again.
    await giveRightsBack(checkout.folder);
    await pointBack(checkout);
    await run();
  }
  await flattenTracked(checkout);
}
