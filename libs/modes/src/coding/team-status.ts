import type { Team, TeamMember } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { type HandedIn, type TeamFace, withHandedIn } from '#team';
import { asJson } from '../shared/work-parts.js';
import { listed, messagesOf, reviewsOf, tasksOf, teamOf } from './coding-context.js';
import type { Review } from './reviewer/review.js';

export const teammateOf = (agent: string): string => `${agent}-agent`;

export const withStatuses = (
  team: Team,
  status: Team['status'],
  of: (agent: string) => TeamMember['status'] | null,
): Team => ({
  ...team,
  status,
  members: team.members.map((member) => ({ ...member, status: of(member.agent) ?? member.status })),
});

/** As far as the team says it. */
export const told = ({ agent, status, summary, findings, why }: Review): HandedIn => ({
  agent,
  status,
  summary,
  findings: findings.length,
  why,
});

/** The team once these have handed in. Whatever was kept from an earlier visit has been said by then. */
export function withReviews(scene: Pick<ActivityContext, 'context'>, reviews: readonly HandedIn[]): TeamFace {
  const known = new Set(reviewsOf(scene).map(({ agent }) => agent));
  const before = { team: teamOf(scene), tasks: tasksOf(scene), messages: messagesOf(scene) };
  const fresh = reviews.filter(({ agent }) => !known.has(agent));
  return withHandedIn(before, fresh);
}

export const faceOf = ({ team, tasks, messages }: TeamFace): JsonObject => ({
  tasks: listed(tasks),
  messages: listed(messages),
  ...(team && { team: asJson(team) }),
});
