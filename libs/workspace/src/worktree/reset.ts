import { errorCode } from '#kernel';
import type { Checkout } from './checkout.js';
import { pointBack } from './entry.js';
import { keptFiles, patternOf } from './kept-files.js';
import { outliveOthers, removeStaleLocks } from './locks.js';
import { TRAILERS } from './names.js';
import { flattenTracked, giveRightsBack } from './tame-folder.js';

/**
 * The files of `$commit`, and nothing beside them but what is ignored or, as the arguments say, kept. Answers with the
 * paths of the commit.
 */
const FILES_BACK = `git read-tree --reset -u "$commit"
git clean -ffdq "$@"
git ls-files -z
`;

/** Where nobody named the head: a snapshot stands beside its first parent, any other commit for itself. */
const FIND_HEAD = `if [ -z "$head" ]; then
  said=$(git show -s --no-show-signature --format='%H %P%n%(trailers:key=${TRAILERS.snapshot},valueonly)' "$commit")
  head=\${said%% *}
  case $said in *'
'*) head=\${said#* } head=\${head%%[!0-9a-f]*} ;; esac
fi
`;

/**
 * Moves HEAD, and with it the branch. The commit that it leaves, if it is not the new one, stays reachable from the
 * project's snapshots: a later restore may go back to it.
 */
const HEAD_BACK = `old=$(git rev-parse -q --verify HEAD || true)
if [ "$old" = "$head" ]; then exit; fi
if [ -n "$old" ]; then
  last=$(git for-each-ref --format='%(objectname)' "$ref")
  git update-ref "$ref" "$(git commit-tree "$old^{tree}" -p "$old" \${last:+-p "$last"} -m "$message")"
fi
git update-ref -m 'reset to a checkpoint' HEAD "$head"
`;

const RESET = `commit=$1 head=$2 ref=$3 message=$4\nshift 4\n${FIND_HEAD}${FILES_BACK}${HEAD_BACK}`;
const WRITE = `commit=$1\nshift\n${FILES_BACK}`;

export async function resetTo(checkout: Checkout, commit: string, head = ''): Promise<void> {
  await outliveOthers(checkout);
  await removeStaleLocks(checkout);
  const message = `Left behind\n\n${TRAILERS.snapshot}: ${checkout.projectId}`;
  await putBack(checkout, RESET, [commit, head, checkout.refs.work, message]);
}

export const writeFiles = (checkout: Checkout, commit: string, signal?: AbortSignal): Promise<void> =>
  putBack(checkout, WRITE, [commit], signal);

async function putBack(checkout: Checkout, lines: string, args: readonly string[], signal?: AbortSignal) {
  const kept = (await keptFiles(checkout)).flatMap((path) => ['-e', patternOf(path)]);
  const run = async (): Promise<string> => {
    await pointBack(checkout);
    const { stdout } = await checkout.script('put the files back', lines, [...args, ...kept], signal && { signal });
    return stdout.toString('utf8');
  };
  const paths = await run().catch(async (error: unknown) => {
    if (!['GIT_FAILED', 'REPO_NOT_WRITABLE', 'EACCES', 'EPERM', 'GIT_NOT_FOUND'].includes(errorCode(error)))
      throw error;
    // Folders that nobody may write to, or enter; whatever else it was fails again.
    await giveRightsBack(checkout.folder);
    return run();
  });
  await flattenTracked(checkout, paths.split('\0'));
}
