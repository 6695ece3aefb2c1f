import type { ActivityContext } from '#engine';
import { combineRuns } from '#proof';
import type { Comparison } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { failingNames, failingTests } from '../../shared/failing-tests.js';
import { judgedAgainst } from '../../shared/judged-against.js';
import { verified } from '../../shared/verification.js';
import { baselineOf, type WorkParts } from '../../shared/work-parts.js';
import { contextOf } from '../context.js';
import { type FocusedCommand, nameAsVerified } from './plan-focus.js';

export interface SteadyVerification {
  readonly result: VerifyReport;
  /** Against the baseline, without flaky tests. */
  readonly comparison: Comparison;
  /** All flaky tests that are known by now. */
  readonly flaky: readonly string[];
}

interface VerifyWish {
  readonly commit: string;
  readonly step?: string;
  readonly baseline?: VerifyReport | null;
  /** What runs in the place of the verify commands; null: all of them. */
  readonly focus?: readonly FocusedCommand[] | null;
}

/** Verifies a commit. New failures are seen twice: a test that passes the second time is flaky, and no failure. */
export async function verifySteadily(
  parts: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, step = 'verify', baseline = baselineOf(activity), focus = null }: VerifyWish,
): Promise<SteadyVerification> {
  const known = contextOf(activity).flakyTests ?? [];
  const commands = focus && focus.map(({ focused }) => focused);
  const run = async (name: string): Promise<VerifyReport> =>
    nameAsVerified(await verified(parts, activity, worktree, { commit, step: name, commands, baseline }), focus ?? []);
  const result = await run(step);
  const first = withoutFlaky(judgedAgainst(baseline, result), known);
  if (first.isNoWorse) return { result, comparison: first, flaky: known };
  const again = await run(`${step}/again`);
  const before = baseline ? failingNames(baseline) : new Set<string>();
  // A command that fails as a whole names no tests. Its other run cannot make them flaky.
  const failsTwice = !withoutFlaky(judgedAgainst(baseline, again), known).isNoWorse;
  const isWhole = [result, again]
    .flatMap(failingTests)
    .some(({ name, command }) => name === command && !before.has(name));
  if (failsTwice && isWhole) return { result, comparison: first, flaky: known };
  const { flaky: mixed } = combineRuns([result, again].map((report) => ({ failing: [...failingNames(report)] })));
  const flaky = [...new Set([...known, ...mixed.filter((name) => !before.has(name))])];
  const second = withoutFlaky(judgedAgainst(baseline, again), flaky);
  return second.isNoWorse
    ? { result: again, comparison: second, flaky }
    : { result, comparison: withoutFlaky(judgedAgainst(baseline, result), flaky), flaky };
}

/** A comparison in which flaky tests do not count. */
export function withoutFlaky(comparison: Comparison, flaky: readonly string[]): Comparison {
  const names = new Set(flaky);
  const newFailures = comparison.newFailures.filter((name) => !names.has(name));
  return { ...comparison, newFailures, isNoWorse: newFailures.length === 0 };
}
