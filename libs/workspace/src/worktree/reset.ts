import { join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../remove-tree.js';
import type { Checkout } from './checkout.js';
import { pointBack } from './entry.js';
import { keptFiles, patternOf } from './kept-files.js';
import { CHECKS_FOLDER, TRAILERS } from './names.js';
import { looseHead } from './snapshot.js';
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
 * project's snapshots: a later restore may go back to it. Without a ref nothing is kept: a commit that is made among
 * hidden objects must not be named in the repository.
 */
const HEAD_BACK = `if [ -z "$old" ]; then old=$(git rev-parse -q --verify HEAD || true); fi
if [ "$old" != "$head" ]; then
  if [ -n "$old" ] && [ -n "$ref" ]; then
    last=$(git for-each-ref --format='%(objectname)' "$ref")
    git update-ref "$ref" "$(git commit-tree "$old^{tree}" -p "$old" \${last:+-p "$last"} -m "$left")"
  fi
  git update-ref -m 'reset to a checkpoint' HEAD "$head"
fi
`;

/** What stands beside the branch becomes its next commit. Answers with that one, behind the paths. */
const GO_ON = `if [ "$commit" != "$head" ]; then
  new=$(git commit-tree "$commit^{tree}" -p "$head" -m "$message")
  git update-ref -m commit HEAD "$new" "$head"
  printf %s "$new"
fi
`;

const RESET = `commit=$1 head=$2 ref=$3 left=$4 old=$5\nshift 5\n${FIND_HEAD}${FILES_BACK}${HEAD_BACK}`;
const COMMIT = `message=$1\nshift\n${RESET}${GO_ON}`;
const WRITE = `commit=$1\nshift\n${FILES_BACK}`;

export async function resetTo(checkout: Checkout, commit: string, head = ''): Promise<void> {
  await putBack(checkout, RESET, await resetArgs(checkout, commit, head));
}

/** Resets to a snapshot and commits it, whatever the files are by then. Null where it is the branch's own commit. */
export async function commitSnapshot(
  checkout: Checkout,
  snapshot: string,
  message: string,
  head = '',
): Promise<string | null> {
  return putBack(checkout, COMMIT, [message, ...(await resetArgs(checkout, snapshot, head))]);
}

export async function writeFiles(checkout: Checkout, commit: string, signal?: AbortSignal): Promise<void> {
  await putBack(checkout, WRITE, [commit], signal);
}

async function resetArgs(checkout: Checkout, commit: string, head: string): Promise<readonly string[]> {
  const message = `Left behind\n\n${TRAILERS.snapshot}: ${checkout.projectId}`;
  const ref = checkout.hidesObjects ? '' : checkout.refs.work;
  return [commit, head, ref, message, (await looseHead(checkout)).commit ?? ''];
}

/** Answers with what the lines say behind the paths. */
async function putBack(
  checkout: Checkout,
  lines: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | null> {
  const kept = (await keptFiles(checkout)).flatMap((path) => ['-e', patternOf(path)]);
  const run = async (): Promise<string> => {
    await pointBack(checkout);
    const { stdout } = await checkout.script('put the files back', lines, [...args, ...kept], signal && { signal });
    return stdout.toString('utf8');
  };
  const said = await run().catch(async (error: unknown) => {
    if (!['GIT_FAILED', 'REPO_NOT_WRITABLE', 'EACCES', 'EPERM', 'GIT_NOT_FOUND'].includes(errorCode(error)))
      throw error;
    // Folders that nobody may write to, or enter; whatever else it was fails again.
    await giveRightsBack(checkout.folder);
    return run();
  });
  const paths = said.split('\0');
  const more = paths.pop();
  if (!paths.some((path) => path.startsWith(`${CHECKS_FOLDER}/`))) {
    // Git leaves what it ignores, such as bytecode beside a check.
    await removeTree(join(checkout.folder, CHECKS_FOLDER));
  }
  await flattenTracked(checkout, paths);
  return more || null;
}
