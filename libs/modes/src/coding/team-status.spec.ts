import { expect, it } from 'vitest';
import type { Team } from '#contracts';
import { reviewOf, taskOf } from './coding.fixture.js';
import { reviewTaskDone, teammateOf, withStatuses } from './team-status.js';

const members = ['sde-iii', 'ux-designer'].map((agent) => ({ agent, teammate: teammateOf(agent), status: 'seated' }));
const team = { name: 'qralph-001-x', domains: [], members, status: 'composed' } as unknown as Team;
const tasks = [
  taskOf('T-001', { kind: 'review', owner: 'sde-iii-agent' }),
  taskOf('T-002', { kind: 'review', owner: 'ux-designer-agent' }),
  taskOf('T-003', { owner: 'sde-iii-agent' }),
];

it('a status is given to the team and to those members that have one', () => {
  const now = withStatuses(team, 'working', (agent) => (agent === 'sde-iii' ? 'running' : null));
  expect([now.status, ...now.members.map(({ status }) => status)]).toEqual(['working', 'running', 'seated']);
  expect(team.members.map(({ status }) => status)).toEqual(['seated', 'seated']);
});

it('a review ends the task of its own reviewer, and no other', () => {
  const statuses = (review: ReturnType<typeof reviewOf>): string[] =>
    reviewTaskDone(tasks, review).map(({ status, note }) => `${status} ${note ?? ''}`.trim());
  expect(statuses(reviewOf('sde-iii'))).toEqual(['completed', 'pending', 'pending']);
  expect(statuses(reviewOf('ux-designer', { status: 'lost', why: 'silent' }))).toEqual([
    'pending',
    'skipped silent',
    'pending',
  ]);
  expect(reviewTaskDone(tasks, reviewOf('nobody'))).toBe(tasks);
});
