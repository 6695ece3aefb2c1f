import { type ActivityContext, type Report, report } from '#engine';
import type { Finding, ProjectTask } from '#contracts';
import { type AgentFindings, findingCounts, fixTasks, mergeFindings, MOST_MERGED, workTasks } from '#team';
import { codingOrderOf, type CodingParts, listed, teamOf, unblocked } from './coding-context.js';
import { learn, worthKnowing } from './lessons.js';
import { markMilestone } from './milestone.js';
import { agentPages, reviewPages } from './readable/review-pages.js';
import { planPages } from './readable/task-plan.js';
import { write } from './readable/write-pages.js';
import { hasOutput, type Review } from './reviewer/review.js';
import { faceOf, told, withReviews } from './team-status.js';
import { whyBeforeWork } from './why-asked.js';

/** The reviews become one list of findings, the tasks that follow from it, and the pages that show both. */
export async function synthesise(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
  milestone: string | null,
): Promise<Report> {
  const all = mergeFindings([...reportedBefore(activity), ...reviews.filter(hasOutput)], Infinity); // prettier-ignore
  const findings = all.slice(0, MOST_MERGED);
  const leftOut = all.length - findings.length;
  const counts = findingCounts(findings);
  const isSimulated = reviews.some((one) => one.isSimulated);
  const { team, tasks, messages } = withReviews(activity, reviews.map(told));
  const toDo = withWork(activity, tasks, findings);
  // A plan that a person approved stands as it is.
  const plan = activity.context['plan'] === undefined ? planPages(activity, toDo, isSimulated) : [];
  const pages = [...reviewPages(activity, { reviews, findings, leftOut, isSimulated }), ...plan];
  await write(parts, activity, 'synthesis', () => Promise.resolve(pages));
  const lessons = worthKnowing(findings).map(({ id, title, body, file }) => {
    return { id, title, body: file === null ? body : `${file}: ${body}` };
  });
  await learn(parts, activity, lessons, isSimulated);
  const commit = milestone === null ? null : await markMilestone(parts, activity, milestone);
  const patch = {
    ...unblocked,
    ...(commit !== null && { commit }),
    reviews: listed(reviews),
    findings: listed(findings),
    findingCounts: counts,
    isReviewed: true,
    ...faceOf({ team: team && { ...team, status: 'working' }, tasks: toDo, messages }),
    why: whyBeforeWork(activity.context, codingOrderOf(activity).variant === 'planning', { findings, tasks: toDo }),
    ...(isSimulated && { simulated: true }),
  };
  const lost = reviews.filter((one) => !hasOutput(one)).map(({ agent }) => agent);
  const partial = reviews.filter(({ status }) => status === 'partial').map(({ agent }) => agent);
  return report('reviews:synthesised', patch, {
    ...counts,
    reviewers: reviews.length,
    ...(lost.length > 0 && { lost }),
    ...(partial.length > 0 && { partial }),
    ...(leftOut > 0 && { leftOut }),
  });
}

/** What agents came across before anybody reviewed: in work mode, of a project that has escalated. */
const reportedBefore = ({ context }: ActivityContext): readonly AgentFindings[] =>
  (context['reports'] as unknown as readonly AgentFindings[] | undefined) ?? [];

/** Findings come before what is left of an approved plan, but for the step at hand; without one, before the request itself. */
function withWork(
  activity: ActivityContext,
  tasks: readonly ProjectTask[],
  findings: readonly Finding[],
): readonly ProjectTask[] {
  const left = tasks.filter(
    ({ kind, status }) => kind === 'step' && (status === 'pending' || status === 'in_progress'),
  );
  const isDone = tasks.some(({ kind, status }) => kind === 'step' && status === 'completed');
  if (left.length === 0 && !isDone) return [...tasks, ...workTasks(findings, activity.project.request, tasks)];
  // What it has changed lies in the worktree: it goes on before anybody else could commit that.
  const begun = left.filter(({ status }) => status === 'in_progress');
  const rest = left.filter((step) => !begun.includes(step));
  return [...tasks.filter((task) => !left.includes(task)), ...begun, ...fixTasks(findings, tasks), ...rest];
}

/** What the reviewers that have ended handed in, for people to read while the project waits for the others. */
export async function writeOutputs(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
): Promise<void> {
  const team = teamOf(activity);
  if (!team || reviews.length === 0) return;
  await write(parts, activity, 'agent-outputs', () => Promise.resolve(agentPages(team, reviews)));
}
