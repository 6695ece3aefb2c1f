import type { ProjectTask } from '#contracts';
import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import { askPerson } from '../coding/ask-person.js';
import { currentOf, domainsOf, goodOf, listed, seatsOf, tasksOf, teamOf } from '../coding/coding-context.js';
import { doneNotes, feedbackOf } from '../coding/notes.js';
import { putBack } from '../coding/put-back.js';
import { stoppedBy } from '../coding/run-agent.js';
import { write } from '../coding/readable/write-pages.js';
import { enter } from '../shared/enter.js';
import { joinedFeedback } from '../shared/feedback-room.js';
import { repeatable } from '../shared/repeatable.js';
import { shownAtGate } from '../shared/shown-at-gate.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import { draftPlan, PLANNER } from './draft-plan.js';
import { workPlanPages } from './plan-page.js';
import type { WorkPlanInput } from './plan.prompt.js';
import { withReport } from './reports.js';
import { tidyPlan } from './tidy-plan.js';
import { skillsOf, askedOf, type WorkModeParts, workPlanOf } from './work-context.js';

/** PLANNING: the steps of the work, each with its check and what it may cost, for a person to approve. */
export const planWork =
  (parts: WorkModeParts): Activity =>
  async (activity) => {
    const worktree = await enter(parts, activity);
    // A step that had begun when a person sent the plan back begins anew, or is no more.
    const good = goodOf(activity)?.commit ?? null;
    const isBegun = currentOf(activity) !== null && good !== null;
    if (isBegun) await putBack(parts, activity, worktree, { to: good });
    const startCommit = isBegun ? good : (commitOf(activity) ?? worktree.baseCommit);
    const kept = keptTasks(activity);
    const known: JsonObject = {
      ...shown(worktree, startCommit),
      feedback: [...feedbackOf(activity)],
      // A new step may have the number of one that is no more: its answers are among the feedback.
      asked: listed(askedOf(activity).filter(({ task }) => kept.some(({ id }) => id === task))),
      decision: null,
      isCutShort: false,
      isPlanDraft: true,
      // What is approved next is scoped anew.
      requestPlan: null,
      // Without a plan that a person has approved there is nothing to do: a block that is put off leads past nobody.
      tasks: listed(kept),
    };
    const draft = await draftPlan(parts, activity, { worktree, startCommit }, inputOf(activity));
    const heard = { ...known, ...draft.patch, ...withReport(activity, PLANNER, draft.findings) };
    if (draft.kind === 'stopped') return stoppedBy(activity, draft.outcome, heard, null);
    const usedUsd = await repeatable(activity, 'used', () => parts.budgets.used(activity.project.id));
    const { plan, tasks } = tidyPlan(draft.said, {
      agents: seatsOf(activity).map(({ agent }) => agent),
      skills: skillsOf(activity).map(({ name }) => name),
      domains: domainsOf(activity),
      before: kept,
      usedUsd,
    });
    if (plan.steps.length === 0) {
      return askPerson(
        activity,
        { cause: 'agent', message: 'The planner made a plan without a step.', role: PLANNER, output: draft.text },
        heard,
      );
    }
    const made: JsonObject = {
      ...heard,
      plan: asJson(plan),
      domains: [...plan.domains],
      tasks: listed([...kept, ...tasks]),
    };
    const pages = workPlanPages({ project: activity.project, context: { ...activity.context, ...made } });
    await write(parts, activity, 'plan-pages', () => Promise.resolve(pages));
    const patch = { ...made, block: null, why: pages[0] ? shownAtGate(pages[0]) : null };
    return report('plan:ready', patch, { steps: plan.steps.length, domains: [...plan.domains], capUsd: plan.capUsd });
  };

/** What was done, found or reviewed stays; whatever else a plan asked for the next one asks for again. */
const keptTasks = (activity: ActivityContext): readonly ProjectTask[] =>
  tasksOf(activity).filter(({ kind, status }) => kind !== 'step' || (status !== 'pending' && status !== 'in_progress'));

function inputOf(activity: ActivityContext): WorkPlanInput {
  const { project, context } = activity;
  const before = workPlanOf(activity);
  const members = teamOf(activity)?.members ?? [];
  return {
    request: project.request,
    domains: domainsOf(activity),
    team: members.map(({ agent, reasons }) => ({ agent, about: reasons.join('; ') })),
    skills: skillsOf(activity),
    files: (context['fileNames'] as readonly string[] | undefined) ?? [],
    memories: (context['memories'] as readonly string[] | undefined) ?? [],
    feedback: joinedFeedback(feedbackOf(activity)),
    before: before === null ? '' : JSON.stringify({ summary: before.summary, steps: before.steps }, null, 2),
    done: doneNotes(activity),
  };
}
