import type { ActivityContext } from '#engine';
import { findUnrunTestFiles } from '#proof';
import { testsRun, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';

const MOST_FILES = 50;
const MOST_TITLES = 100;

const TITLES: readonly RegExp[] = [
  /\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])(.{1,200}?)\1/g,
  /^\s*(?:async\s+)?def\s+()(test_\w{1,100})/gm,
  /^func\s+()(Test\w{1,100})/gm,
];

/** Names of the tests in a source file, as far as simple patterns see them. */
export const titlesIn = (source: string): readonly string[] =>
  TITLES.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[2] ?? '')).slice(0, MOST_TITLES);

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
      found.push({ path, titles: [...titlesIn(file?.content.toString('utf8') ?? '')] });
    }
    return found;
  });
  const gained = result.counts ? testsRun(result.counts) - (baseline.counts ? testsRun(baseline.counts) : 0) : null;
  return findUnrunTestFiles({ files, outputs: result.commands.map(({ output }) => output), gained });
}
