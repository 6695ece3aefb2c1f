import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { type DoctoredLine, effectiveClass } from '#proof';
import { isManifest, type VerifyReport, type Worktree, type WorktreeDiff } from '#workspace';
import { failingNames } from '../../shared/failing-tests.js';
import { withPatchedContext } from '../../shared/patched-context.js';
import { repeatable } from '../../shared/repeatable.js';
import { sideBySide } from '../../shared/side-by-side.js';
import { tamperingBetween } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import type { Unfinished } from '../run-agent.js';
import { specialKindOf } from '../scoping/kinds-of-parts.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { type BaseTests, runBaseTests } from './base-tests.js';
import { type ChangedFiles, sortChangedFiles } from './changed-files.js';
import { withManifests } from './changed-manifests.js';
import { readChangedCode } from './changed-code.js';
import { confirmParts } from './confirm-parts.js';
import { readCopiedValues } from './copied-values.js';
import { type CheckFacts, runChecks } from './run-checks.js';
import { findGoneCommands } from './gone-commands.js';
import { inspectInBatches } from './inspect-in-batches.js';
import type { InspectionWish } from './inspect.js';
import { findingsFixedBySteps, unreadFixes } from './inspected-findings.js';
import { findEmptiedFiles, findMissingTests, findSilentCommands, lacksTitles, NONE_MISSING } from './lost-tests.js';
import { type MutantResult, tryMutant } from './mutant.js';
import { findUnrunFiles } from './new-tests.js';
import { joinReports, type PackageTests, runPackageTests, withFailuresOfPackages } from './package-tests.js';
import type { Inspection } from './proof-record.js';
import {
  describeDoctored,
  type ListedTest,
  missingTests,
  readPatchOfTests,
  removedTests,
  withFailingTests,
} from './listed-tests.js';
import { authorLateChecks } from './late-checks.js';
import { seeScopeAgain } from './see-again.js';
import { tryTestsOfParts } from './tests-of-parts.js';
import { withTouchedPackages } from './touched-packages.js';
import { type SteadyVerification, verifySteadily } from './verify-step.js';

export interface GatheredFacts {
  readonly commit: string;
  readonly plan: RequestPlan;
  readonly verification: SteadyVerification;
  readonly diff: WorktreeDiff;
  readonly changed: ChangedFiles;
  readonly packages: PackageTests;
  readonly baseTests: BaseTests;
  /** Failures in scope that still fail. */
  readonly stillFailing: readonly string[];
  readonly flaky: readonly string[];
  /** Failures in scope that no longer run. */
  readonly unseen?: readonly string[];
  readonly checks: readonly CheckFacts[];
  /** Tests that ran on the base and no longer run, and verify commands that are gone. */
  readonly lostTests: readonly string[];
  /** Verify commands without tests that the result no longer has. */
  readonly removedCommands?: readonly string[];
  /** Existing tests that were removed, skipped or changed. */
  readonly changedTests: readonly ListedTest[];
  readonly doctored: readonly DoctoredLine[];
  /** Whether an agent has to read the change, though checks and tests may pass. */
  readonly needsReader: boolean;
  readonly unrunTestFiles: readonly string[];
  readonly inspection: Inspection | null;
  readonly mutant: MutantResult | null;
  /** Whether a new test fails without the work. Null if no part asks for tests, or if nobody can tell. */
  readonly hasRedTest?: boolean | null;
}

export type Gathered =
  | { readonly kind: 'done'; readonly facts: GatheredFacts; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

interface Wish {
  readonly commit: string;
  readonly plan: RequestPlan;
  readonly baseline: VerifyReport;
  /** The verification of this very commit, if there is one. */
  readonly known: VerifyReport | null;
}

/** All that decides whether the result is proven. Every run is made by the service in the clean room. */
export async function gatherFacts(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, plan: planned, baseline, known }: Wish,
): Promise<Gathered> {
  const verification = known
    ? steadyOf(activity, known)
    : await verifySteadily(parts, activity, worktree, { commit, baseline });
  const [diff, tampering] = await sideBySide(
    repeatable(activity, 'diff-of-result', () => parts.worktrees.diff(worktree, worktree.baseCommit, commit)),
    tamperingBetween(parts, activity, worktree, { from: worktree.baseCommit, to: commit }),
  );
  const sorted = sortChangedFiles(diff);
  const changed = await withManifests(parts, activity, worktree, { commit, changed: sorted });
  const packages = await runPackageTests(parts, activity, worktree, { commit, baseline, changed });
  const whole = joinReports(baseline, packages.baseline);
  const seen = joinReports(verification.result, packages.result);
  const paths = [...changed.sources, ...changed.manifests];
  const touched = withTouchedPackages(planned, { baseline: whole, result: seen, changed: paths });
  const expected = withFailuresOfPackages(touched, activity, packages);
  const settings = [...tampering.runnerFiles, ...(tampering.newRunnerFiles ?? [])].filter(isManifest);
  const called = (tampering.verification ?? []).filter((path) => !isManifestScript(path));
  const calledFiles = [...called, ...changed.manifests.filter((path) => MANAGER_SETTINGS.test(path))];
  const mayLackTests = settings.length > 0 || lacksTitles({ baseline: whole, result: seen });
  const base = { commit, baseline: whole, changed, calledFiles, mayLackTests };
  const baseTests = await runBaseTests(parts, activity, worktree, base);
  const again = { commit, plan: expected, baseline: whole, seen, baseTests, changed };
  const scope = await seeScopeAgain(parts, activity, worktree, again);
  const judgedAs = effectiveClass({ requestClass: expected.class, diff: changed });
  const flaky = [...new Set([...verification.flaky, ...packages.flaky, ...scope.flaky])];
  const late = await authorLateChecks(parts, activity, worktree, { plan: expected, judgedAs, commit, flaky });
  if (late.kind === 'stopped') return late;
  const { plan } = late;
  const scene = withPatchedContext(activity, late.patch);
  const { result } = verification;
  // Each of these only reads the commit.
  const texts = sideBySide(
    readPatchOfTests(parts, activity, worktree, { from: worktree.baseCommit, commit }),
    findGoneCommands(parts, activity, worktree, { commit, baseline, result }),
  );
  const own = sideBySide(
    readChangedCode(parts, activity, worktree, { commit, changed, diff, plan, baseline: whole }),
    judgedAs === 'behaviour' ? readCopiedValues(parts, scene, worktree, { diff, changed }) : Promise.resolve([]),
  );
  const [[patchOfTests, gone], [code, values]] = await sideBySide(texts, own);
  const removed = removedTests(tampering, patchOfTests);
  const { counted, named } = baseTests.wereRun ? NONE_MISSING : findMissingTests({ baseline, result });
  const tests = [
    ...withFailingTests(removed, baseTests.newFailures, { output: baseTests.output, patch: patchOfTests }),
    ...missingTests([...named, ...(baseTests.missing ?? []), ...(packages.missing ?? [])]),
  ];
  const reasons = [...code.reasons, ...describeUncounted(scene)];
  const hasReasons = reasons.length + values.length > 0 || needsWords(scene, plan);
  const isPlain = code.isSmallSubstitution && !hasReasons;
  const needsReader = judgedAs !== 'behaviour' || !isPlain;
  const isRead = needsReader && contextOf(scene).simulated !== true;
  const findings = findingsFixedBySteps(activity, plan, { isRead });
  const excusable = code.doctored.filter(({ names = [] }) => names.length > 0);
  // The checks run in the clean room while an agent reads the diff.
  const [checks, inspected] = await sideBySide(
    runChecks(parts, scene, worktree, { commit, changed, calledFiles }),
    inspectInBatches(parts, activity, worktree, {
      from: worktree.baseCommit,
      commit,
      ...readingOf(plan, {
        isRead,
        settings: baseTests.neededSettings,
      }),
      asksForDemands: isRead,
      values,
      reasons,
      findings,
      tests: [...tests.map(({ words }) => words), ...gone.removed, ...excusable.map(describeDoctored)],
      step: 'inspect',
    }),
  );
  const unrun = { commit, paths: changed.newTestFiles, result: seen, baseline: whole };
  const unrunTestFiles = await findUnrunFiles(parts, activity, worktree, unrun);
  if (inspected.kind === 'stopped') return { ...inspected, patch: late.patch };
  const { inspection: first } = inspected;
  const confirmed = await confirmParts(parts, activity, worktree, { commit, checks, inspection: first });
  if (confirmed.kind === 'stopped') return { ...confirmed, patch: { ...late.patch, ...inspected.patch } };
  const patch = {
    ...late.patch,
    ...inspected.patch,
    ...confirmed.patch,
    ...(plan !== planned && patchOf({ requestPlan: plan })),
    ...(findings.length > 0 && patchOf({ unreviewedFixes: unreadFixes(activity, findings, confirmed.inspection) })),
  };
  const mutant = judgedAs === 'tests-only' ? await tryMutant(parts, activity, worktree, { commit, changed }) : null;
  if (mutant?.kind === 'stopped') return { ...mutant, patch };
  const ofParts = { commit, plan, judgedAs, changed, baseline: whole, result: seen };
  const tested = await tryTestsOfParts(parts, activity, worktree, ofParts);
  if (tested.kind === 'stopped') return { ...tested, patch };
  const facts: GatheredFacts = {
    commit,
    plan,
    verification,
    diff,
    changed,
    packages,
    baseTests,
    stillFailing: scope.stillFailing,
    unseen: scope.unseen,
    flaky,
    checks,
    lostTests: [
      ...gone.lost,
      ...findSilentCommands(baseline, result),
      ...packages.lost,
      ...findEmptiedFiles({ baseline, result, newFiles: changed.newTestFiles }),
      ...(baseTests.wereRun ? baseTests.lost : counted),
    ],
    removedCommands: gone.removed,
    changedTests: tests,
    doctored: code.doctored,
    needsReader,
    unrunTestFiles,
    inspection: confirmed.inspection,
    mutant,
    hasRedTest: tested.hasRedTest,
  };
  return { kind: 'done', facts, patch };
}

/** Whether the word of a reader proves a part beside others. */
const needsWords = (activity: ActivityContext, { parts }: RequestPlan): boolean =>
  parts.some((part) => specialKindOf(part) !== null) ||
  (contextOf(activity).checks ?? []).some(({ red, dropped }) => red.kind === 'kept' && dropped === null);

/** No runner says that a script reached its assertions: if the code never calls back, the script ends with 0 too. */
const describeUncounted = (activity: ActivityContext): readonly string[] =>
  (contextOf(activity).checks ?? [])
    .filter(({ dropped, hasTests }) => dropped === null && hasTests !== true)
    .map(({ title }) => `The check "${title}" is a script. It passes too if it ends before its assertions.`);

interface Reading {
  /** Whether the change has to be read for every part. */
  readonly isRead: boolean;
  readonly settings?: readonly string[] | undefined;
}

/** The parts that an agent reads. Needed settings come behind them, with the number of one part more. */
function readingOf(
  { parts }: RequestPlan,
  { isRead, settings = [] }: Reading,
): Pick<InspectionWish, 'parts' | 'titles'> {
  const numbers = isRead || settings.length > 0 ? parts.map((_, index) => index + 1) : [];
  if (settings.length === 0) return { parts: numbers };
  const own = parts.length + 1;
  return { parts: [...numbers, own], titles: { [own]: `${ABOUT_SETTINGS} ${settings.join(', ')}` } };
}

const ABOUT_SETTINGS =
  'The new test settings leave out no test and hide no failure, and the work that the request asks for needs them:';

/** These files may give every script another shell, another folder or other options. They name no dependency. */
const MANAGER_SETTINGS = /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$/;

/** Scripts of a package.json are named `package.json: test`. They run in their old form anyway. */
const isManifestScript = (name: string): boolean => name.includes('package.json: ');

function steadyOf(activity: ActivityContext, result: VerifyReport): SteadyVerification {
  const flaky = contextOf(activity).flakyTests ?? [];
  return {
    result,
    flaky,
    // It was compared with the baseline when its task was committed.
    comparison: { isNoWorse: true, newFailures: [], oldFailures: [...failingNames(result)], worst: null },
  };
}
