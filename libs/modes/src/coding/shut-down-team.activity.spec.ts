import { expect, it } from 'vitest';
import { type Json } from '#kernel';
import { messagesOf, tasksOf, teamOf } from './coding-context.js';
import { eventOf, fakeParts, reviewOf, taskOf, Visit } from './coding.fixture.js';
import { shutDownTeam } from './shut-down-team.activity.js';

const AGENTS = ['sde-iii', 'ux-designer'];
const members = AGENTS.map((agent) => ({ agent, teammate: `${agent}-agent`, status: 'running' }));
const known = {
  team: { name: 'qralph-001-x', domains: [], members, status: 'working' },
  tasks: AGENTS.map((agent, nth) => taskOf(`T-00${String(nth + 1)}`, { kind: 'review', owner: `${agent}-agent`, status: 'in_progress' })), // prettier-ignore
};

it('keeps the word of a reviewer that had handed in when the others were told to abort', async () => {
  const done = reviewOf('ux-designer', { summary: 'Read theme.css.' }) as unknown as Json;
  const children = [
    { key: 'sde-iii', id: 'a', outcome: 'aborted' as const, result: null },
    { key: 'ux-designer', id: 'b', outcome: 'completed' as const, result: done },
  ];
  const { activity } = new Visit(known, { state: 'TEAM_SHUTDOWN', children });
  const { type, patch: context } = eventOf(await shutDownTeam(fakeParts().parts)(activity));
  expect([type, teamOf({ context })?.status]).toEqual(['team:gone', 'deleted']);
  expect(tasksOf({ context }).map(({ status }) => status)).toEqual(['in_progress', 'completed']);
  expect(messagesOf({ context }).map(({ seq, from, kind }) => `${String(seq)} ${from} ${kind}`)).toEqual([
    '2 ux-designer-agent summary',
    '3 lead shutdown_request',
    '4 lead shutdown_request',
    '5 sde-iii-agent shutdown_ack',
    '6 ux-designer-agent shutdown_ack',
  ]);
});

it('has nobody to ask where there is no team', async () => {
  const { activity } = new Visit({}, { state: 'TEAM_SHUTDOWN' });
  expect(eventOf(await shutDownTeam(fakeParts().parts)(activity)).patch).toEqual({});
});
