import type { ProjectTask, Team, TeamMember } from '#contracts';
import { withTask } from '#team';
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

export function reviewTaskDone(tasks: readonly ProjectTask[], { agent, status, why }: Review): readonly ProjectTask[] {
  const task = tasks.find(({ kind, owner }) => kind === 'review' && owner === teammateOf(agent));
  if (!task) return tasks;
  return withTask(tasks, task.id, { status: status === 'done' ? 'completed' : 'skipped', note: why });
}
