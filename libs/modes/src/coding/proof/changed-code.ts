import type { ActivityContext } from '#engine';
import {
  type AskedFacts,
  type DoctoredLine,
  findDoctoredCode,
  findReasonsToRead,
  isSmallSubstitution,
  splitByFailure,
} from '#proof';
import {
  isManifest,
  isTestConfiguration,
  isTestFile,
  type VerifyReport,
  type Worktree,
  type WorktreeDiff,
} from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { type ChangedFiles, isDocumentFile } from './changed-files.js';

export interface ChangedCode {
  readonly doctored: readonly DoctoredLine[];
  /** What an agent that reads the change is shown. */
  readonly reasons: readonly string[];
  readonly isSmallSubstitution: boolean;
}

interface Wish {
  readonly commit: string;
  readonly changed: Pick<ChangedFiles, 'sources' | 'manifests'>;
  readonly diff: WorktreeDiff;
  readonly plan: RequestPlan;
  readonly baseline: VerifyReport;
}

/** Manifests that run, such as setup.py. */
const PROGRAM = /\.(?:py|[cm]?js|kts)$/;

/** Settings of tests decide how checks run too, so they are no tests here. */
const isTest = (path: string): boolean => isTestFile(path) && !isTestConfiguration(path);

/**
 * What the changed code tells by itself. The code is read once more by itself, as text: a large file or a byte that is
 * no text would hide it in the diff of the whole.
 */
export async function readChangedCode(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed, diff, plan, baseline }: Wish,
): Promise<ChangedCode> {
  const read = await repeatable(activity, 'changed-code', async () => {
    const sources = new Set(changed.sources);
    const only = new Set([...sources, ...changed.manifests.filter((path) => PROGRAM.test(path))]);
    const { patch, isCut } = await worktrees.diffOfTests(worktree, worktree.baseCommit, commit, only);
    const { files } = diff;
    return {
      doctored: [...findDoctoredCode(patch, isTestFile)],
      reasons: [...findReasonsToRead({ patch, isCut, files, isTest, isDocument: isDocumentFile, isManifest })],
      isSmallSubstitution: isSmallSubstitution({
        ...{ patch, isCut, files, isSource: (path) => sources.has(path) },
        ...{ request: activity.project.request, parts: plan.parts.length },
        failures: coveringFailures(plan, baseline),
      }),
    };
  });
  const all = [...read.doctored, ...findDoctoredCode(diff.patch, isTestFile)];
  const doctored = [...new Map(all.map((one) => [`${one.file}\0${one.line}`, one])).values()];
  return { ...read, doctored };
}

/** The failing tests of the base that cover a part, each with the lines about it. */
function coveringFailures({ parts }: RequestPlan, baseline: VerifyReport): AskedFacts['failures'] {
  const covering = new Set(parts.flatMap(({ failingTests: names }) => names));
  return [...Map.groupBy(failingTests(baseline), ({ output }) => output)]
    .flatMap(([output, failures]) =>
      splitByFailure(
        output,
        failures.map(({ name }) => name),
      ),
    )
    .filter(({ name }) => covering.has(name));
}
