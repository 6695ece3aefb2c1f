import { describe, expect, it } from 'vitest';
import { secrets } from '#kernel';
import { defineMachine } from '../machine/define-machine.js';
import { initialSnapshot, type Snapshot, statusOf, withCompletion } from '../machine/snapshot.js';
import { announcedEvents, announcementsOf } from './announcements.js';

const machine = defineMachine(
  'told',
  1,
  {
    WORKING: { do: 'work', on: { done: 'ASKING', stuck: 'STUCK' } },
    ASKING: { gate: { name: 'approval', ask: 'Well?', options: { yes: 'yes' } }, on: { yes: 'DONE' } },
    STUCK: {
      remembers: true,
      gate: { name: 'decide', ask: 'What now?', options: { on: 'on' } },
      on: { on: 'WORKING' },
    },
    DONE: { end: 'completed' },
    ENDED: { end: 'aborted' },
  },
  { abortTo: 'ENDED' },
);

const start = initialSnapshot(machine, {});
const entered = (state: string, more: Partial<Snapshot> = {}): Snapshot => ({ ...start, state, visit: 2, ...more });
const told = (
  after: Snapshot,
  from: Snapshot | null = start,
  parent: { id: string; key: string; visit: number } | null = null,
) => {
  const before = from && { ...from, status: statusOf(machine, from) };
  const facts = { id: 'p', name: '001-p', parent };
  return announcementsOf({ machine, facts, before, after, version: 7, cause: 'because' });
};
const parent = { id: 'p0', key: 'k', visit: 1 };
const types = (...asked: Parameters<typeof told>) => told(...asked).map(({ type }) => type);

describe('what is told outside', () => {
  it('is each state, with where it came from and why', () => {
    expect(told(entered('ASKING'))[0]).toEqual({
      type: 'project.state_changed',
      data: { from: 'WORKING', to: 'ASKING', cause: 'because' },
    });
    expect(told(start, null)).toEqual([
      { type: 'project.state_changed', data: { from: null, to: 'WORKING', cause: 'because' } },
    ]);
  });

  it.each([
    ['a gate', entered('ASKING'), ['project.state_changed', 'project.waiting']],
    ['a block', entered('STUCK'), ['project.state_changed', 'project.blocked']],
    ['the end', entered('DONE'), ['project.state_changed', 'project.completed']],
    ['an abort', entered('ENDED'), ['project.state_changed', 'project.aborted']],
    ['a failure', { ...start, failure: { code: 'X', message: 'x' } }, ['project.failed']],
    [
      'a step that failed',
      { ...start, wait: { kind: 'step-failed', code: 'X', message: 'x' } as const },
      ['project.blocked'],
    ],
    [
      'an effect that only a person knows',
      { ...start, wait: { kind: 'effect', key: 'k', question: '?' } as const },
      ['project.waiting'],
    ],
    ['a pause', { ...start, paused: true }, []],
    ['an interim checkpoint', start, []],
    ['a wait for time', { ...start, wait: { kind: 'time', reason: 'r', ms: 1 } as const }, []],
  ])('says of %s what it is', (_what, after, expected) => {
    expect(types(after)).toEqual(expected);
  });

  it('says once that the work is complete: not again when its clean-up has ended', () => {
    const counters = withCompletion({});
    expect(types({ ...start, counters })).toEqual(['project.completed']);
    expect(types(entered('DONE', { counters }), { ...start, counters })).toEqual(['project.state_changed']);
  });

  it('says with the completion whether the result is proven', () => {
    const context = { isProven: true, evidence: ['a passes now'] };
    const facts = { proven: 'yes', proof: { evidence: ['a passes now'] } };
    expect(told(entered('DONE', { context })).at(-1)).toEqual({ type: 'project.completed', data: facts });
    const counters = withCompletion({});
    expect(told({ ...start, counters, context })).toEqual([{ type: 'project.completed', data: facts }]);
  });

  it('does not repeat what it waits for while that does not change', () => {
    const waiting = entered('ASKING');
    expect(types(waiting, waiting)).toEqual([]);
  });

  it('is nothing of a child that works, ends or fails: that is its parent’s business', () => {
    const failure = { code: 'X', message: 'x' };
    for (const after of [entered('WORKING'), entered('DONE'), entered('ENDED'), { ...start, failure }]) {
      expect(told(after, start, parent)).toEqual([]);
    }
  });

  it('is of a child that it waits for a person, about the project it works for, each time once', () => {
    const wait = { kind: 'step-failed', code: 'X', message: 'x' } as const;
    const child = { id: 'p', name: '001-p', state: 'WORKING', checkpoint: 7 };
    expect(told({ ...start, wait }, start, parent)).toEqual([
      { type: 'project.blocked', data: { child, waitingFor: { ...wait } }, isOnce: true },
    ]);
    expect(told(entered('ASKING'), start, parent)).toMatchObject([
      { type: 'project.waiting', data: { child: { state: 'ASKING' } }, isOnce: true },
    ]);
    const waiting = { ...start, wait };
    expect(told(waiting, waiting, parent)).toEqual([]);
    expect(types({ ...start, wait: { ...wait } }, waiting, parent)).toEqual(['project.blocked']);
  });

  it('is small, whatever a step says when it fails', () => {
    const wait = { kind: 'step-failed', code: 'X', message: 'x'.repeat(100_000) } as const;
    expect(JSON.stringify(told({ ...start, wait })).length).toBeLessThan(1_500);
  });

  it('has no half of a secret where a text is cut', () => {
    const secret = 'hush-hush-the-key-of-the-house';
    const forget = secrets.learn(secret);
    try {
      const message = `${'x'.repeat(985)}${secret}${'y'.repeat(500)}`;
      const text = JSON.stringify(told({ ...start, wait: { kind: 'step-failed', code: 'X', message } }));
      expect(text).toContain('xxx');
      expect(text).not.toContain(secret.slice(0, 5));
    } finally {
      forget();
    }
  });

  it('has of the events those that matter outside, in few words', () => {
    const data = { role: 'reviewer', name: 'usd', cap: '1.00', used: '0.99', reserved: '0', wanted: '1' };
    expect(
      announcedEvents([
        { type: 'effect.started', data: {} },
        { type: 'budget.exceeded', data },
      ]),
    ).toEqual([{ type: 'budget.exceeded', data: { breaker: 'usd', cap: '1.00' }, isOnce: true }]);
  });
});
