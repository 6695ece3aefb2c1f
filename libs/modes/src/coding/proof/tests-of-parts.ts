import type { ActivityContext } from '#engine';
import { asksForRegressionTest, classifyRun, type RequestClass } from '#proof';
import type { VerifyReport, Worktree } from '#workspace';
import { type FailingTest, failingNames, failingTests } from '../../shared/failing-tests.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { Unfinished } from '../run-agent.js';
import { specialKindOf } from '../scoping/kinds-of-parts.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import type { ChangedFiles } from './changed-files.js';
import { tryMutant } from './mutant.js';

interface Wish {
  readonly commit: string;
  readonly plan: RequestPlan;
  readonly judgedAs: RequestClass;
  readonly changed: ChangedFiles;
  /** The verify commands on the base and on the result. */
  readonly baseline: VerifyReport;
  readonly result: VerifyReport;
}

export type TestsOfParts =
  /** Null if no part asks for tests, or if nobody can tell. */
  | { readonly kind: 'tried'; readonly hasRedTest: boolean | null }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished };

const UNTRIED: TestsOfParts = { kind: 'tried', hasRedTest: null };

/**
 * Whether the tests that a part asks for say anything: one of them fails with the sources of the base. If none does, they
 * may be about what works already. Then one of them has to fail on a wrong variant of the code, unless the part asks for
 * a regression test.
 */
export async function tryTestsOfParts(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, plan, judgedAs, changed, baseline, result }: Wish,
): Promise<TestsOfParts> {
  const asking = plan.parts.filter((part) => specialKindOf(part) === 'tests');
  if (judgedAs !== 'behaviour' || asking.length === 0 || !changed.touchesTests) return UNTRIED;
  if (contextOf(activity).simulated === true) return UNTRIED;
  const known = new Set([...failingNames(baseline), ...failingNames(result)]);
  const run = async (step: string): Promise<readonly FailingTest[]> => {
    const overlays = [{ from: worktree.baseCommit, paths: changed.sources }];
    const report = await runInCleanRoom(parts, activity, worktree, {
      tree: { commit, overlays },
      commands: null,
      step,
    });
    return failingTests(report).filter(({ name }) => !known.has(name));
  };
  const first = changed.sources.length > 0 ? await run('tests-of-parts') : [];
  const again = new Set(first.length > 0 ? (await run('tests-of-parts/again')).map(({ name }) => name) : []);
  const failing = first.filter(({ name }) => again.has(name));
  if (failing.some(saysNo)) return { kind: 'tried', hasRedTest: true };
  if (failing.length > 0) return UNTRIED;
  if (asking.some(asksForRegressionTest)) return { kind: 'tried', hasRedTest: false };
  const mutant = await tryMutant(parts, activity, worktree, { commit, changed });
  if (mutant.kind === 'stopped') return mutant;
  return { kind: 'tried', hasRedTest: mutant.kind === 'tried' ? mutant.isKilled : null };
}

/** Whether a test failed, and not only a command that could not run its tests. */
const saysNo = ({ name, command, output }: FailingTest): boolean =>
  name !== command || ['assertion', 'absent'].includes(classifyRun({ exitCode: 1, endedBy: 'itself', output }).kind);
