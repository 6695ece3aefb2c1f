import { expect, it } from 'vitest';
import type { ActivityContext, ChildResult, Effect } from '#engine';
import type { Json, JsonObject } from '#kernel';
import { messagesOf, reviewsOf, tasksOf, teamOf } from './coding-context.js';
import { eventOf, fakeParts, reviewOf, taskOf, Visit } from './coding.fixture.js';
import { shutDownTeam } from './shut-down-team.activity.js';

const AGENTS = ['sde-iii', 'ux-designer'];
const members = AGENTS.map((agent) => ({ agent, teammate: `${agent}-agent`, status: 'running' }));
const known = {
  team: { name: 'qralph-001-x', domains: [], members, status: 'working' },
  tasks: AGENTS.map((agent, nth) => taskOf(`T-00${String(nth + 1)}`, { kind: 'review', owner: `${agent}-agent`, status: 'in_progress' })), // prettier-ignore
};

const ended = (key: string, result: Json = null): ChildResult => ({ key, id: key, outcome: 'aborted', result });
const done = ended('ux-designer', reviewOf('ux-designer', { summary: 'Read theme.css.' }) as unknown as Json);

/** An activity whose effects are done once, however often it runs. */
function journaled(children: () => readonly ChildResult[], context: object = known): ActivityContext {
  const { activity } = new Visit({ ...context }, { state: 'TEAM_SHUTDOWN' });
  const kept = new Map<string, Json>();
  const effect = async <T extends Json>(given: Effect<T>): Promise<T> => {
    if (!kept.has(given.step)) kept.set(given.step, await activity.effect(given));
    return kept.get(given.step) as T;
  };
  return { ...activity, effect, endedChildren: async () => children() };
}

const said = (context: JsonObject): readonly string[] =>
  messagesOf({ context }).map(({ from, to, kind }) => (from === 'lead' ? `${kind} to ${to}` : `${from} ${kind}`));

it('keeps what a reviewer had handed in when the others were told to abort', async () => {
  const { parts, pages } = fakeParts();
  const { type, patch: context } = eventOf(await shutDownTeam(parts)(journaled(() => [ended('sde-iii'), done])));
  expect([type, teamOf({ context })?.status]).toEqual(['team:gone', 'deleted']);
  expect(tasksOf({ context }).map(({ status, note }) => [status, note])).toEqual([
    ['skipped', 'the project was aborted'],
    ['completed', null],
  ]);
  expect(reviewsOf({ context }).map(({ agent, status }) => `${agent} ${status}`)).toEqual([
    ...['sde-iii skipped', 'ux-designer done'],
  ]);
  expect(pages.get('agent-outputs/ux-designer.md')).toContain('Read theme.css.');
  expect(said(context)).toEqual([
    ...['sde-iii-agent health', 'ux-designer-agent summary'],
    ...['shutdown_request to sde-iii-agent', 'shutdown_request to ux-designer-agent'],
    ...['sde-iii-agent shutdown_ack', 'ux-designer-agent shutdown_ack'],
  ]);
});

it('waits until those that were told to abort have ended', async () => {
  let children: readonly ChildResult[] = [done];
  const activity = journaled(() => children);
  const shutDown = shutDownTeam(fakeParts().parts);
  expect(await shutDown(activity)).toMatchObject({ kind: 'wait', reason: 'teammates' });
  children = [ended('sde-iii'), done];
  expect(said(eventOf(await shutDown(activity)).patch)).toContain('sde-iii-agent shutdown_ack');
});

it('does not wait for ever: who has not ended in time is left to its worker, and the team says so', async () => {
  const activity = journaled(() => [done]);
  const shutDown = shutDownTeam(fakeParts().parts);
  const waits: number[] = [];
  let report = await shutDown(activity);
  for (; report.kind === 'wait'; report = await shutDown(activity)) waits.push(report.ms);
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000]);
  expect(said(eventOf(report).patch).slice(-2)).toEqual([
    ...['shutdown_forced to sde-iii-agent', 'ux-designer-agent shutdown_ack'],
  ]);
});

it('waits for nobody who is not at work', async () => {
  const idle = { ...known, team: { ...known.team, members: members.map((one) => ({ ...one, status: 'lost' })) } };
  const { patch } = eventOf(await shutDownTeam(fakeParts().parts)(journaled(() => [], idle)));
  expect(said(patch).slice(-2)).toEqual(['sde-iii-agent shutdown_ack', 'ux-designer-agent shutdown_ack']);
  expect(patch['reviews']).toBeUndefined();
});

it('has nobody to ask where there is no team', async () => {
  const { activity } = new Visit({}, { state: 'TEAM_SHUTDOWN' });
  expect(eventOf(await shutDownTeam(fakeParts().parts)(activity)).patch).toEqual({});
});
