import type { ActivityContext } from '#engine';
import { findUnrunTestFiles } from '#proof';
import { testNamesIn, testsRun, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';

const MOST_FILES = 50;

interface Wish {
  readonly commit: string;
  readonly paths: readonly string[];
  readonly result: VerifyReport;
  readonly baseline: VerifyReport;
}

/** New test files that no verify command runs. */
export async function findUnrunFiles(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, paths, result, baseline }: Wish,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const files = await repeatable(activity, 'new-tests', async () => {
    const found: { path: string; titles: string[] }[] = [];
    for (const path of paths.slice(0, MOST_FILES)) {
      const file = await worktrees.fileAt(worktree, commit, path);
      found.push({ path, titles: [...testNamesIn(path, file?.content.toString('utf8') ?? '')] });
    }
    return found;
  });
  const gained = result.counts ? testsRun(result.counts) - (baseline.counts ? testsRun(baseline.counts) : 0) : null;
  return findUnrunTestFiles({ files, outputs: result.commands.map(({ output }) => output), gained });
}
