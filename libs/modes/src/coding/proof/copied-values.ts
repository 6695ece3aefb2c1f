import type { ActivityContext } from '#engine';
import { findCopiedValues } from '#proof';
import { isTestFile, type Worktree, type WorktreeDiff } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { ChangedFiles } from './changed-files.js';

const MOST_TESTS = 30;

interface Wish {
  readonly diff: Pick<WorktreeDiff, 'patch'>;
  readonly changed: Pick<ChangedFiles, 'sources'>;
}

/** Values that new code compares with, and that stand in its checks or in tests of the base. */
export async function readCopiedValues(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { diff, changed }: Wish,
): Promise<readonly string[]> {
  if (changed.sources.length === 0) return [];
  return repeatable(activity, 'copied-values', async () => {
    const { baseCommit } = worktree;
    const naming = await worktrees.findTests(worktree, baseCommit, changed.sources);
    // Tests that name the code come first. Others may import the package as a whole.
    const others = (contextOf(activity).fileNames ?? []).filter(isTestFile);
    const paths = [...new Set([...naming, ...others])].slice(0, MOST_TESTS);
    const files = await Promise.all(paths.map((path) => worktrees.fileAt(worktree, baseCommit, path)));
    const tests = files.flatMap((file) => file?.content.toString('utf8') ?? []);
    const checks = (contextOf(activity).checks ?? []).flatMap((check) => check.files.map(({ content }) => content));
    return [
      ...findCopiedValues({ patch: diff.patch, tests: [...tests, ...checks], asked: askedOf(activity), isTestFile }),
    ];
  });
}

/** What the request and its plan say. */
function askedOf(activity: ActivityContext): string {
  const { parts = [], steps = [] } = contextOf(activity).requestPlan ?? {};
  return [
    activity.project.request,
    ...parts.flatMap((part) => [part.title, part.interface]),
    ...steps.flatMap((step) => [step.title, step.check]),
  ].join('\n');
}
