import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { findingCounts, mergeFindings, MOST_MERGED } from '#team';
import { type CodingParts, listed, teamOf, unblocked } from './coding-context.js';
import { contextOf } from './context.js';
import { learn, worthKnowing } from './lessons.js';
import { markMilestone } from './milestone.js';
import { agentPages, reviewPages } from './readable/review-pages.js';
import { write } from './readable/write-pages.js';
import { hasOutput, type Review } from './reviewer/review.js';
import { faceOf, told, withReviews } from './team-status.js';

/** The reviews become one list of findings, and the pages that show it. The plan follows in SCOPING. */
export async function synthesise(
  parts: CodingParts,
  activity: ActivityContext,
  reviews: readonly Review[],
  milestone: string | null,
  prepared: JsonObject,
): Promise<Report> {
  const reportedBefore = contextOf(activity).reports ?? [];
  const all = mergeFindings([...reportedBefore, ...reviews.filter(hasOutput)], Infinity);
  const findings = all.slice(0, MOST_MERGED);
  const leftOut = all.length - findings.length;
  const counts = findingCounts(findings);
  const isSimulated = reviews.some((one) => one.isSimulated);
  const { team, tasks, messages } = withReviews(activity, reviews.map(told));
  const pages = reviewPages(activity, { reviews, findings, leftOut, isSimulated });
  await write(parts, activity, 'synthesis', () => Promise.resolve(pages));
  const lessons = worthKnowing(findings).map(({ id, title, body, file }) => {
    return { id, title, body: file === null ? body : `${file}: ${body}` };
  });
  await learn(parts, activity, lessons, isSimulated);
  const commit = milestone === null ? null : await markMilestone(parts, activity, milestone);
  const patch = {
    ...unblocked,
    ...prepared,
    // A project that is reviewed again is planned again.
    requestPlan: null,
    ...(commit !== null && { commit }),
    reviews: listed(reviews),
    findings: listed(findings),
    findingCounts: counts,
    isReviewed: true,
    ...faceOf({ team: team && { ...team, status: 'working' }, tasks, messages }),
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
