import {
  type Activity, type ActivityContext, type ChildResult, type Report, report, waitFor,
} from '#engine'; // prettier-ignore
import { shutDown } from '#team';
import { repeatable } from '../shared/repeatable.js';
import { isAfterBlock } from '../shared/verification.js';
import { type CodingParts, listed, reviewsOf, teamOf } from './coding-context.js';
import { keptAtRest } from './left-by-person.js';
import { writeLastPages } from './readable/write-pages.js';
import { reviewOf, skippedReview } from './reviewer/left-reviews.js';
import { hasOutput, type Review } from './reviewer/review.js';
import { writeOutputs } from './synthesise.js';
import { faceOf, told, withReviews } from './team-status.js';

/** For the last word of reviewers that were at work when the project was aborted: a CLI is given five seconds to end. */
const PATIENCE_MS = [250, 500, 1_000, 2_000, 4_000];

/** Reviewers at work when the project was aborted. They are projects of their own, which were told to abort with it. */
const atWork = (activity: ActivityContext): readonly string[] =>
  teamOf(activity)?.members.flatMap(({ agent, status }) => (status === 'running' ? [agent] : [])) ?? [];

const endedOf = (activity: ActivityContext): Promise<readonly ChildResult[]> =>
  activity.endedChildren(activity.visit - 1);

/** Whom nobody waits for any longer; a report where there is still time to wait. */
async function overdue(activity: ActivityContext, working: readonly string[]): Promise<readonly string[] | Report> {
  let left = working;
  for (const [nth, ms] of PATIENCE_MS.entries()) {
    if (left.length === 0) break;
    let isNow = false;
    left = await repeatable(activity, `teammates/${String(nth + 1)}`, async () => {
      isNow = true;
      const ended = new Set((await endedOf(activity)).map(({ key }) => key));
      return working.filter((agent) => !ended.has(agent));
    });
    if (isNow && left.length > 0) return waitFor(ms, 'teammates', `They were asked to end: ${left.join(', ')}.`);
  }
  return left;
}

/** What the reviewers had handed in when the project was aborted, and whose work was cut short. */
async function cutShort(activity: ActivityContext, working: readonly string[]): Promise<readonly Review[]> {
  if (working.length === 0) return [];
  return repeatable(activity, 'handed-in', async () => {
    const done = (await endedOf(activity)).map(reviewOf).filter(hasOutput);
    return working.map(
      (agent) => done.find((one) => one.agent === agent) ?? skippedReview(agent, 'the project was aborted'),
    );
  });
}

/** People work in the worktree while a project waits: at a block, and at the gate before COMPLETE. */
async function mayBeChanged({ history }: CodingParts, activity: ActivityContext): Promise<boolean> {
  if (isAfterBlock(activity)) return true;
  const [entered] = await history.told(activity.project.id, ['state.entered'], 1);
  return entered?.data['from'] === 'BEFORE_COMPLETE';
}

/** TEAM_SHUTDOWN: nobody is left working, nothing is left running, and the worktree goes; the branch stays. */
export const shutDownTeam =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { project } = activity;
    await repeatable(activity, 'processes', () => parts.processes.endAll(project.id));
    const working = atWork(activity);
    const late = await overdue(activity, working);
    if ('kind' in late) return late;
    const reviews = await cutShort(activity, working);
    await writeOutputs(parts, activity, reviews);
    const seen = withReviews(activity, reviews.map(told));
    const { team } = seen;
    const acknowledged = new Set(
      team?.members.flatMap(({ agent, teammate }) => (late.includes(agent) ? [] : [teammate])),
    );
    const kept = (await mayBeChanged(parts, activity)) ? await keptAtRest(parts, activity) : {};
    const face = team ? faceOf({ ...seen, ...shutDown(team, seen.messages, acknowledged) }) : {};
    const patch = {
      ...kept,
      ...face,
      ...(reviews.length > 0 && { reviews: listed([...reviewsOf(activity), ...reviews]) }),
    };
    await writeLastPages(parts, activity, patch);
    await repeatable(activity, 'remove', async (run) => {
      await parts.workshop.leave(project);
      run.tell('team.shut-down', { team: team?.name ?? null, members: team?.members.length ?? 0 });
    });
    return report('team:gone', patch);
  };
