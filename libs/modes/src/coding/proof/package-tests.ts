import type { ActivityContext } from '#engine';
import { failuresInScope } from '#proof';
import { judged, packageOf, type VerifyReport, type Worktree } from '#workspace';
import { countsTests, failuresWithOutput } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { orderOf } from '../../shared/work-parts.js';
import { type CodingParts, codingOrderOf, tasksOf } from '../coding-context.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import type { ChangedFiles } from './changed-files.js';
import { findMissingTests, findSilentCommands, NONE_MISSING } from './lost-tests.js';
import { verifySteadily } from './verify-step.js';

/** The tests of packages that the change touches. The verify commands of the root may leave them out. */
export interface PackageTests {
  /** Null if no such package has tests of its own. */
  readonly result: VerifyReport | null;
  /** The same commands on the base. Null if nothing had to be compared. */
  readonly baseline: VerifyReport | null;
  readonly newFailures: readonly string[];
  /** They failed on the base too. */
  readonly oldFailures: readonly string[];
  readonly lost: readonly string[];
  /** The same by their names. The request may contradict them. */
  readonly missing?: readonly string[];
  readonly flaky: readonly string[];
}

export const NO_PACKAGES: PackageTests = {
  ...{ result: null, baseline: null },
  ...{ newFailures: [], oldFailures: [], lost: [], flaky: [] },
};

interface Wish {
  readonly commit: string;
  readonly baseline: VerifyReport;
  readonly changed: ChangedFiles;
}

/**
 * Runs them on the result. They run on the base too if one of them fails, if the change touched tests, or if it adds tests
 * to such a package: their number may be the only sign that a runner gives of new tests.
 */
export async function runPackageTests(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline: root, changed }: Wish,
): Promise<PackageTests> {
  const settings = [...changed.newTestConfiguration, ...changed.manifests];
  const paths = [...changed.sources, ...changed.oldTests, ...changed.newTestFiles, ...settings];
  const found = await repeatable(activity, 'touched-packages', async () => [
    ...(await parts.workshop.commandsOfPackages(worktree, orderOf(activity), paths)),
  ]);
  const commands = found.filter((command) => !root.commands.some((one) => one.command === command));
  if (commands.length === 0) return NO_PACKAGES;
  const step = 'package-tests';
  const first = await runInCleanRoom(parts, activity, worktree, { tree: { commit }, commands, step });
  const touchesTests = changed.oldTests.length + settings.length > 0;
  const folders = commands.flatMap((command) => packageOf(command)?.folder ?? []);
  const addsTests = changed.newTestFiles.some((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
  if (first.verdict === 'passed' && !touchesTests && !addsTests) return { ...NO_PACKAGES, result: first };
  const base = { tree: { commit: worktree.baseCommit }, commands, step: `${step}/base` };
  const baseline = await runInCleanRoom(parts, activity, worktree, base);
  const focus = commands.map((command) => ({ command, focused: command }));
  const { result, comparison, flaky } = await verifySteadily(parts, activity, worktree, {
    ...{ commit, baseline, focus },
    step: `${step}/compared`,
  });
  const { newFailures, oldFailures } = comparison;
  const { counted, named: missing } = touchesTests ? NONE_MISSING : findMissingTests({ baseline, result });
  const lost = [...findSilentCommands(baseline, result), ...counted];
  return { result, baseline, newFailures, oldFailures, lost, missing, flaky };
}

/** The plan with failures of these packages in scope that belong to the request. The planner could not know them. */
export function withFailuresOfPackages(
  plan: RequestPlan,
  activity: ActivityContext,
  { baseline }: Pick<PackageTests, 'baseline'>,
): RequestPlan {
  if (!baseline || !countsTests(baseline)) return plan;
  const known = new Set([...plan.scope, ...(plan.outOfScope ?? [])].map(({ name }) => name));
  const { goal = null } = codingOrderOf(activity);
  const details = new Map(tasksOf(activity).map(({ id, detail }) => [id, detail]));
  const found = failuresInScope({
    request: activity.project.request,
    steps: plan.steps.map(({ title, task }) => ({ title, detail: details.get(task) ?? '' })),
    failures: failuresWithOutput(baseline),
    proposed: [],
    goal,
  });
  // No planner has seen them: unless all tests must pass, an independent agent may take them out again.
  const isGuess = goal !== 'green';
  const added = [...found]
    .filter(([name]) => !known.has(name))
    .map(([name, reason]) => ({ name, reason, ...(isGuess && { isGuess }) }));
  return added.length === 0 ? plan : { ...plan, scope: [...plan.scope, ...added] };
}

/** Joins two reports into one with the commands of both. */
export function joinReports(report: VerifyReport, more: VerifyReport | null): VerifyReport {
  if (more === null) return report;
  const notSetUp = [...new Set([report, more].flatMap((one) => one.notSetUp ?? []))];
  const joined = { ...judged([...report.commands, ...more.commands]), sandbox: report.sandbox };
  return notSetUp.length === 0 ? joined : { ...joined, notSetUp };
}
