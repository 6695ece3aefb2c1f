import { type Activity, type ActivityContext, type Child, type Report, waitForChildren } from '#engine';
import type { JsonObject } from '#kernel';
import { askPerson } from './ask-person.js';
import { repeatable } from '../shared/repeatable.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import {
  codingOrderOf,
  type CodingParts,
  cutShortBy,
  domainsOf,
  listed,
  resolvedBlock,
  reviewsOf,
  seatsOf,
  tasksOf,
  teamOf,
  unblocked,
} from './coding-context.js';
import { contextOf } from './context.js';
import { approvalOf, escalationNotes, feedbackOf, settledNotes } from './notes.js';
import { describeBaseline, prepareReview } from './prepare-review.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { reviewOf, skippedReview } from './reviewer/left-reviews.js';
import { reviewMachine } from './reviewer/machine.js';
import { partialReview } from './reviewer/partial-review.js';
import { hasOutput, type Review, type ReviewBrief, type Seat } from './reviewer/review.js';
import { listLines } from './screen-lines.js';
import { synthesise, writeOutputs } from './synthesise.js';
import { faceOf, teammateOf, told, withReviews, withStatuses } from './team-status.js';

/** REVIEWING: each reviewer is a project of its own, which any worker can drive; then their findings become one list. */
export const review =
  (parts: CodingParts, milestone: string | null): Activity =>
  async (activity) => {
    const prepared = await prepareReview(parts, activity);
    if (prepared.kind === 'blocked') return prepared.report;
    const { patch } = prepared;
    const before = await standing(activity);
    const waiting = seatsOf(activity).filter(({ agent }) => !before.some((one) => one.agent === agent));
    const children = waiting.map((seat) => childOf(withPatchedContext(activity, patch), seat));
    const results = children.length === 0 ? [] : await activity.joined(children);
    if (results === null) return waitForChildren(children, { ...patch, ...atWork(activity, before, waiting) });
    const reviews = withPartialOutput(activity, [...before, ...results.map(reviewOf)]);
    return (await lostOne(parts, activity, reviews)) ?? synthesise(parts, activity, reviews, milestone, patch);
  };

/** The reviews that count already: those of an earlier visit, and what became of the others when it was left. */
async function standing(activity: ActivityContext): Promise<readonly Review[]> {
  const kept = settled(activity, reviewsOf(activity));
  const left = resolvedBlock(activity);
  if (left?.decision === 'defer') return [...kept, ...skipped(activity, kept, 'a person went on without it')];
  if (cutShortBy(activity) !== 'SKIP') return kept;
  const done = await handedIn(activity);
  const all = [...kept, ...done];
  return [...all, ...skipped(activity, all, 'it was still running when a person skipped it')];
}

/** The partial output of lost critical reviewers counts; if all reviewers are lost, that of each. */
function withPartialOutput(activity: ActivityContext, reviews: readonly Review[]): readonly Review[] {
  const critical = criticalOf(activity);
  const areAllLost = reviews.every(({ status }) => status === 'lost');
  const given = [...fileNamesOf(activity), activity.project.request];
  return reviews.map((one) =>
    one.status === 'lost' && (areAllLost || critical.has(one.agent)) ? partialReview(one, given) : one,
  );
}

const fileNamesOf = (activity: ActivityContext): readonly string[] => contextOf(activity).fileNames ?? [];

/** Nobody is asked for these again: what was lost twice is gone on without, unless it is critical. */
function settled(activity: ActivityContext, reviews: readonly Review[]): readonly Review[] {
  const critical = criticalOf(activity);
  return reviews.filter(
    (one) => hasOutput(one) || one.status === 'skipped' || (one.status === 'lost' && !critical.has(one.agent)),
  );
}

const criticalOf = (activity: ActivityContext): ReadonlySet<string> =>
  new Set(seatsOf(activity).flatMap(({ agent, isCritical }) => (isCritical ? [agent] : [])));

/** Who had handed in when the state was left. Those that were told to stop may yet end: the first answer counts. */
async function handedIn(activity: ActivityContext): Promise<readonly Review[]> {
  return repeatable(activity, 'handed-in', async () => {
    const ended = (await activity.endedChildren(activity.visit - 1)).map(reviewOf);
    return ended.filter(hasOutput);
  });
}

const skipped = (activity: ActivityContext, known: readonly Review[], why: string): readonly Review[] =>
  seatsOf(activity)
    .filter(({ agent }) => !known.some((one) => one.agent === agent))
    .map(({ agent }) => skippedReview(agent, why));

function childOf(activity: ActivityContext, seat: Seat): Child {
  const { project, incarnation } = activity;
  const { runtime, models, reviewSeconds } = codingOrderOf(activity);
  const commit = commitOf(activity) ?? '';
  const brief: ReviewBrief = {
    seat,
    order: { runtime, reviewSeconds, ...(models && { models }) },
    place: { projectId: project.id, name: project.name, commit, incarnation },
    domains: domainsOf(activity),
    files: fileNamesOf(activity),
    memories: contextOf(activity).memories ?? [],
    baseline: describeBaseline(activity),
    map: contextOf(activity).repositoryMap ?? '',
    notes: [settledNotes(activity), ...escalationNotes(activity)].filter((note) => note !== '').join('\n'),
  };
  return { key: seat.agent, machine: reviewMachine.name, context: asJson(brief) as JsonObject };
}

/** What readers see while the reviewers work. */
function atWork(activity: ActivityContext, before: readonly Review[], waiting: readonly Seat[]): JsonObject {
  const team = teamOf(activity);
  const running = new Set(waiting.map(({ agent }) => agent));
  const tasks = tasksOf(activity).map((task) =>
    task.kind === 'review' && waiting.some(({ agent }) => task.owner === teammateOf(agent))
      ? { ...task, status: 'in_progress' as const }
      : task,
  );
  const approval = approvalOf(activity);
  return {
    ...unblocked,
    // The decision is left behind here; what was said with it holds until the end.
    ...(approval !== '' && { approval, feedback: [...feedbackOf(activity)] }),
    reviews: listed(before),
    tasks: listed(tasks),
    ...(team && {
      team: asJson(withStatuses(team, 'working', (agent) => (running.has(agent) ? 'running' : null))),
    }),
  };
}

/** A person is asked if the budget is spent, or if no reviewer has any output. What is there is kept and shown. */
async function lostOne(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
): Promise<Report | null> {
  const broke = reviews.find(({ status }) => status === 'over-budget');
  const missed = broke ? [] : missedOf(activity, reviews);
  if (!broke && missed.length === 0) return null;
  const kept = settled(activity, reviews).filter((one) => !missed.includes(one));
  await writeOutputs(parts, activity, kept);
  const patch = { ...faceOf(withReviews(activity, reviews.map(told))), reviews: listed(kept) };
  if (broke) return askPerson(activity, { cause: 'budget', message: broke.why ?? 'The budget is spent.' }, patch);
  const reasons = missed.map(({ agent, why }) => `${agent}: ${why ?? 'no review'}`);
  const names = missed.map(({ agent }) => agent).join(', ');
  const message = `No reviewer of this team has any output, after all tries. Missing: ${names}.`;
  const output = missed.map(({ partial }) => partial).join('\n');
  const options = { event: 'critical-reviewer:lost', sections: [listLines('Why', reasons, '')] };
  return askPerson(activity, { cause: 'reviewer', message, output }, patch, options);
}

/** A team goes on without some of its reviews, never by itself without any. The critical ones are seated again first. */
function missedOf(activity: ActivityContext, reviews: readonly Review[]): readonly Review[] {
  if (!reviews.every(({ status }) => status === 'lost')) return [];
  const critical = criticalOf(activity);
  const missed = reviews.filter(({ agent }) => critical.has(agent));
  return missed.length > 0 ? missed : reviews;
}
