import { describe, expect, it } from 'vitest';
import { Team, TeamMessage } from '#contracts';
import { LONGEST, MOST_MESSAGES } from './bounds.js';
import { LEAD, say } from './messages.js';
import { shutDown, shutdownSteps } from './shutdown.js';
import { memberOf, teamOf } from './team.fixture.js';

const team = teamOf(memberOf('a', { status: 'done' }), memberOf('b', { status: 'lost' }), memberOf('__proto__'));
const kinds = (messages: readonly TeamMessage[]) => messages.map(({ seq, from, to, kind }) => [seq, from, to, kind]);

describe('messages', () => {
  it('are numbered, bounded and clean', () => {
    const one = say([], { from: 'a', to: LEAD, kind: 'summary', text: `\u0000${'x'.repeat(9_000)}` });
    const two = say(one, { from: LEAD, to: 'a', kind: 'task', text: 'go\ud800' });
    expect(two.map((message) => TeamMessage.parse(message).seq)).toEqual([1, 2]);
    expect(two[0]?.text).toHaveLength(LONGEST.message);
    expect(two[1]?.text).toBe('go\ufffd');
  });

  it('go on with their numbers where the oldest are dropped', () => {
    let messages: readonly TeamMessage[] = [];
    for (let count = 0; count < MOST_MESSAGES + 3; count += 1) {
      messages = say(messages, { from: 'a', to: LEAD, kind: 'health', text: '' });
    }
    expect(messages).toHaveLength(MOST_MESSAGES);
    expect([messages[0]?.seq, messages.at(-1)?.seq]).toEqual([4, MOST_MESSAGES + 3]);
  });
});

describe('the end of a team', () => {
  it('asks everybody, and forces who does not answer', () => {
    const ended = shutDown(team, [], new Set(['a-agent']));
    expect(Team.parse(ended.team)).toMatchObject({ status: 'deleted' });
    expect(ended.team.members.map(({ status }) => status)).toEqual(['shut-down', 'shut-down', 'shut-down']);
    expect(kinds(ended.messages)).toEqual([
      [1, LEAD, 'a-agent', 'shutdown_request'],
      [2, LEAD, 'b-agent', 'shutdown_request'],
      [3, LEAD, '__proto__-agent', 'shutdown_request'],
      [4, 'a-agent', LEAD, 'shutdown_ack'],
      [5, LEAD, 'b-agent', 'shutdown_forced'],
      [6, LEAD, '__proto__-agent', 'shutdown_forced'],
    ]);
  });

  it('asks nobody twice, and ends once', () => {
    const asked = shutdownSteps(team).reduce(say, [] as readonly TeamMessage[]);
    const ended = shutDown(team, asked, new Set());
    expect(ended.messages.filter(({ kind }) => kind === 'shutdown_request')).toHaveLength(3);
    expect(ended.messages).toHaveLength(6);
    expect(shutDown(ended.team, ended.messages, new Set())).toEqual(ended);
    expect(shutdownSteps(ended.team)).toEqual([]);
  });
});
