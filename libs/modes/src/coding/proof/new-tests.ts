import type { ActivityContext } from '#engine';
import { findUnrunTestFiles } from '#proof';
import { testNamesIn, testsRun, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';

const MOST_FILES = 50;

type Counted = Pick<VerifyReport, 'counts'>;

interface Wish {
  readonly commit: string;
  readonly paths: readonly string[];
  readonly result: VerifyReport;
  /** Two runs of the same commands, on the result and on the base. */
  readonly counts: { readonly result: Counted; readonly baseline: Counted };
}

/** New test files that no verify command runs. */
export async function findUnrunFiles(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, paths, result, counts: { result: now, baseline } }: Wish,
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
  const gained = now.counts ? testsRun(now.counts) - (baseline.counts ? testsRun(baseline.counts) : 0) : null;
  const unrun = findUnrunTestFiles({ files, outputs: result.commands.map(({ output }) => output), gained });
  return [...new Set([...unrun, ...findEmptyFiles(files, result.counts?.emptyFiles ?? [])])];
}

/** Files whose tests a runner found none of: a filter left them out, or the file ends before they begin. */
const findEmptyFiles = (
  files: readonly { readonly path: string; readonly titles: readonly string[] }[],
  empty: readonly string[],
): readonly string[] =>
  files
    .filter(({ titles }) => titles.length > 0)
    .map(({ path }) => path)
    .filter((path) => empty.some((name) => `/${path}`.endsWith(`/${name}`) || name.endsWith(`/${path}`)));
