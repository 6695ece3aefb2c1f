import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import type { VerifyReport, Worktree } from '#workspace';
import { deferredOf, tasksOf } from '../coding/coding-context.js';
import { contextOf } from '../coding/context.js';
import { prove } from '../coding/prove.js';
import { whyBeforeCompletion } from '../coding/why-asked.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { hasConsented } from './consent.js';
import { isEscalated, resultsOf, type WorkModeParts } from './work-context.js';

/** The end of EXECUTING in work mode: the same proof as in coding mode. The result of a small team is accepted with it. */
export const proveWork =
  (parts: WorkModeParts) =>
  async (activity: ActivityContext, worktree: Worktree, baseline: VerifyReport): Promise<Report> => {
    const report = await prove(parts, activity, worktree, baseline, {
      isConsentedTo: (missing) => hasConsented(activity, missing),
    });
    if (report.kind !== 'event') return report;
    // The consent was used, or was about something else: whatever comes next is asked anew.
    const known = { ...report.patch, consentedDoubt: null };
    const isOver = report.type === 'work:verified' && !isEscalated(activity);
    const ended = isOver ? acceptResult(withPatchedContext(activity, known)) : {};
    return { ...report, patch: { ...known, ...ended } };
  };

/** A small team has no acceptance. Whoever is asked before COMPLETE reads how each step was checked. */
function acceptResult(activity: ActivityContext): JsonObject {
  const tasks = tasksOf(activity);
  // A plan that was to be written again, and was put off, has no task that says so.
  const isWhole = deferredOf(activity).length === 0 && tasks.every(({ status }) => status === 'completed');
  const why = whyBeforeCompletion(activity.context, {
    request: activity.project.request,
    scenarios: [],
    tasks,
    proof: contextOf(activity).proof ?? null,
  });
  return {
    isAccepted: true,
    isWhollyAccepted: isWhole,
    ...(why !== null && { why: `${why}\n\nHow each step was checked:\n${listChecks(activity)}` }),
  };
}

const listChecks = (activity: ActivityContext): string =>
  resultsOf(activity)
    .map(({ task, evidence: { by, because } }) => `${task}, by ${by}: ${because.slice(0, 300)}`)
    .join('\n');
