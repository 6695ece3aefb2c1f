import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import { hasTampered, testsRun, type TestTampering, type VerifyReport, type Worktree } from '#workspace';
import { deferredOf, resolvedBlock, tasksOf } from '../coding/coding-context.js';
import { contextOf } from '../coding/context.js';
import { proveResult } from '../coding/proof/prove-result.js';
import { provenOrAsk } from '../coding/prove.js';
import { whyBeforeCompletion } from '../coding/why-asked.js';
import { doubtAbout, goneCommands } from '../shared/doubt.js';
import { judgedAgainst } from '../shared/judged-against.js';
import { hasConsented } from './consent.js';
import { isEscalated, resultsOf, type WorkModeParts } from './work-context.js';

/**
 * The end of EXECUTING in work mode. Each step was checked as the plan says; no test is demanded where there was none,
 * but none may have been taken away, and the verify commands fail no worse than before.
 */
export const proveWork =
  (parts: WorkModeParts) =>
  async (activity: ActivityContext, worktree: Worktree, baseline: VerifyReport): Promise<Report> => {
    const isConsentedTo = (doubt: string): boolean => hasConsented(activity, doubt);
    const plan = contextOf(activity).requestPlan;
    // Every project that escalated has a plan, unless it escalated under an older release.
    const report = plan
      ? await proveResult(parts, activity, worktree, {
          plan,
          baseline,
          // Agents give their reasons in other words the next time, so `resolve` accepts the result, not a text.
          ...(!isAccepted(activity) && { isConsentedTo }),
        })
      : await provenOrAsk(parts, activity, worktree, baseline, {
          isConsentedTo,
          doubtAbout: doubtAboutWork,
          proven: isEscalated(activity) ? {} : accepted(activity),
        });
    // Heeded, or about something else: whatever comes next is asked anew.
    return report.kind === 'event' ? { ...report, patch: { ...report.patch, consentedDoubt: null } } : report;
  };

/** Whether a person has just accepted a result that is not proven. */
function isAccepted(activity: ActivityContext): boolean {
  const left = resolvedBlock(activity);
  return left?.cause === 'unproven' && left.decision === 'resolve';
}

/** What speaks against a result that is made of steps with checks of their own. */
export function doubtAboutWork(result: VerifyReport, tampering: TestTampering, baseline: VerifyReport): string | null {
  if (hasTampered(tampering)) return doubtAbout(result, tampering, baseline) ?? 'tests were removed or skipped';
  // Tests that failed before are tests as well: where none run now, something took them away.
  const hadTests = baseline.counts !== null && testsRun(baseline.counts) > 0;
  const isGone = goneCommands(result, baseline).length > 0;
  const isDemanded = result.verdict === 'passed' || baseline.verdict === 'passed' || hadTests || isGone;
  if (result.verdict === 'failed') {
    return judgedAgainst(baseline, result).isNoWorse ? null : `the tests fail: ${result.reason}`;
  }
  return isDemanded ? doubtAbout(result, tampering, baseline) : null;
}

/** The checks of its steps are its acceptance; whoever is asked before COMPLETE is shown what they said. */
function accepted(activity: ActivityContext): JsonObject {
  const tasks = tasksOf(activity);
  // A plan that was to be written again, and was put off, has no task that says so.
  const isWhole = deferredOf(activity).length === 0 && tasks.every(({ status }) => status === 'completed');
  const why = whyBeforeCompletion(activity.context, {
    request: activity.project.request,
    scenarios: [],
    tasks,
    proof: null,
  });
  return {
    isAccepted: true,
    isWhollyAccepted: isWhole,
    ...(why !== null && { why: `${why}\n\nHow each step was checked:\n${checks(activity)}` }),
  };
}

const checks = (activity: ActivityContext): string =>
  resultsOf(activity)
    .map(({ task, evidence: { by, because } }) => `${task}, by ${by}: ${because.slice(0, 300)}`)
    .join('\n');
