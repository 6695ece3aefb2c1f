import type { Finding } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import { findingCounts, mergeFindings, workTasks } from '#team';
import { whereItCan } from '../shared/readable-files.js';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, domainsOf, listed, placeOf, teamOf, unblocked } from './coding-context.js';
import { markMilestone } from './milestone.js';
import { agentPages, reviewPages } from './readable/review-pages.js';
import { planPages } from './readable/task-plan.js';
import type { Review } from './reviewer/review.js';
import { faceOf, told, withReviews } from './team-status.js';

/** The reviews become one list of findings, the tasks that follow from it, and the pages that show both. */
export async function synthesise(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
  milestone: string | null,
): Promise<Report> {
  const findings = mergeFindings(reviews.filter(({ status }) => status === 'done'));
  const counts = findingCounts(findings);
  const isSimulated = reviews.some((one) => one.isSimulated);
  const { team, tasks, messages } = withReviews(activity, reviews.map(told));
  const all = [...tasks, ...workTasks(findings, activity.project.request, tasks)];
  // A plan that a person approved stands as it is.
  const plan = activity.context['plan'] === undefined ? planPages(activity, all, isSimulated) : [];
  const pages = [...reviewPages(activity, { reviews, findings, isSimulated }), ...plan];
  await repeatable(activity, 'synthesis', (run) =>
    whereItCan(run, () => parts.artefacts.writeAll(placeOf(activity), pages)),
  );
  await rememberDecisions(parts, activity, findings);
  const commit = milestone === null ? null : await markMilestone(parts, activity, milestone);
  const patch = {
    ...unblocked,
    ...(commit !== null && { commit }),
    reviews: listed(reviews),
    findings: listed(findings),
    findingCounts: counts,
    ...faceOf({ team: team && { ...team, status: 'working' }, tasks: all, messages }),
    ...(isSimulated && { simulated: true }),
  };
  const lost = reviews.filter(({ status }) => status !== 'done').map(({ agent }) => agent);
  return report('reviews:synthesised', patch, {
    ...counts,
    reviewers: reviews.length,
    ...(lost.length > 0 && { lost }),
  });
}

/** What the reviewers that have ended handed in, for people to read while the project waits for the others. */
export async function writeOutputs(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
): Promise<void> {
  const team = teamOf(activity);
  if (!team || reviews.length === 0) return;
  await repeatable(activity, 'agent-outputs', (run) =>
    whereItCan(run, () => parts.artefacts.writeAll(placeOf(activity), agentPages(team, reviews))),
  );
}

const MOST_REMEMBERED = 5;

/** What several reviewers, or a sure one, said about the design is worth knowing next time. */
async function rememberDecisions(
  { memory }: CodingParts,
  activity: ActivityContext,
  findings: readonly Finding[],
): Promise<void> {
  const worth = findings
    .filter(({ priority, agents }) => priority === 'P0' || agents.length > 1)
    .slice(0, MOST_REMEMBERED);
  if (worth.length === 0) return;
  const { repo, name: project } = placeOf(activity);
  await repeatable(activity, 'remember', async (run) => {
    for (const { id, title, body, file } of worth) {
      await memory.remember({
        kind: 'architectural_decision',
        repo,
        domains: domainsOf(activity),
        title,
        body: file === null ? body : `${file}: ${body}`,
        project,
        effect: `${run.lease.projectId}/${run.key}/${id}`,
      });
    }
  });
}
