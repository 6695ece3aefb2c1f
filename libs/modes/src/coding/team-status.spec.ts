import { expect, it } from 'vitest';
import type { Team } from '#contracts';
import { reviewOf, taskOf } from './coding.fixture.js';
import { asJson } from '../shared/work-parts.js';
import { listed } from './coding-context.js';
import { teammateOf, told, withReviews, withStatuses } from './team-status.js';

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

it('a review ends the task of its own reviewer, and is told to the lead', () => {
  const scene = { context: { team: asJson(team), tasks: listed(tasks) } };
  const lost = reviewOf('ux-designer', { status: 'lost', why: 'silent' });
  const seen = withReviews(scene, [reviewOf('sde-iii'), lost].map(told));
  expect(seen.tasks.map(({ status, note }) => `${status} ${note ?? ''}`.trim())).toEqual([
    ...['completed', 'skipped silent', 'pending'],
  ]);
  expect(seen.messages.map(({ from, text }) => `${from}: ${text}`)).toEqual([
    ...['sde-iii-agent: 0 findings. Read by sde-iii.', 'ux-designer-agent: silent'],
  ]);
});

it('a review that was kept from an earlier visit is not told twice', () => {
  const context = { team: asJson(team), tasks: listed(tasks), reviews: listed([reviewOf('sde-iii')]) };
  expect(withReviews({ context }, [told(reviewOf('sde-iii'))]).messages).toEqual([]);
});
