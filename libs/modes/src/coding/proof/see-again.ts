import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { failingNames } from '../../shared/failing-tests.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { baselineOf } from '../../shared/work-parts.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import type { BaseTests } from './base-tests.js';
import { focusOn } from './focus.js';
import type { SteadyVerification } from './verify-step.js';

interface Wish {
  readonly commit: string;
  readonly plan: RequestPlan;
  readonly verification: SteadyVerification;
  readonly baseTests: BaseTests;
}

/** The failures in scope decide, so they are seen twice on the result: only they, if the runner can select them. */
export async function seeScopeAgain(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, plan, verification, baseTests }: Wish,
): Promise<{ readonly stillFailing: readonly string[]; readonly flaky: readonly string[] }> {
  const known = new Set(contextOf(activity).flakyTests ?? []);
  const scope = plan.scope.map(({ name }) => name).filter((name) => !known.has(name));
  const failing = new Set([...failingNames(verification.result), ...baseTests.failing]);
  const stillFailing = scope.filter((name) => failing.has(name));
  const passing = scope.filter((name) => !failing.has(name));
  if (passing.length === 0) return { stillFailing, flaky: [] };
  const commands = await focusOn(parts, activity, worktree, { commit, names: passing, baseline: baselineOf(activity) });
  const again = await runInCleanRoom(parts, activity, worktree, { tree: { commit }, commands, step: 'scope/again' });
  const failsNow = failingNames(again);
  return { stillFailing, flaky: passing.filter((name) => failsNow.has(name)) };
}
