import type { ActivityContext } from '#engine';
import { isManifestOfTests } from '#proof';
import type { Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import type { ChangedFiles } from './changed-files.js';

const MOST_MANIFESTS = 50;

/** It follows the manifest beside it. */
const isLockFile = (path: string): boolean => /lock|shrinkwrap/i.test(path.slice(path.lastIndexOf('/') + 1));

/**
 * The changed files, as a change of code if a manifest that changed with tests changes more than tests need. A lock file
 * that changes alone installs other versions, so it does too.
 */
export async function withManifests(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed }: { readonly commit: string; readonly changed: ChangedFiles },
): Promise<ChangedFiles> {
  if (changed.touchesCode || !changed.touchesManifests) return changed;
  const paths = [...new Set(changed.manifests)].filter((path) => !isLockFile(path));
  const isOfTests = await repeatable(activity, 'manifests-of-tests', async () => {
    const textOf = async (at: string, path: string): Promise<string | null> =>
      (await worktrees.fileAt(worktree, at, path))?.content.toString('utf8') ?? null;
    for (const path of paths.slice(0, MOST_MANIFESTS)) {
      const base = await textOf(worktree.baseCommit, path);
      if (!isManifestOfTests(path, { base, result: await textOf(commit, path) })) return false;
    }
    return paths.length > 0 && paths.length <= MOST_MANIFESTS;
  });
  return isOfTests ? changed : { ...changed, touchesCode: true };
}
