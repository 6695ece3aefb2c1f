import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMachine, anySnapshot, sample } from './machine.fixture.js';
import { hasEnded, initialSnapshot, isRunnable, type Snapshot, stateOf, statusOf } from './snapshot.js';

const at = (state: string, more: Partial<Snapshot> = {}): Snapshot => ({
  ...initialSnapshot(sample, {}),
  state,
  ...more,
});
const effect = { kind: 'effect', key: 'k', question: '?' } as const;
const failedStep = { kind: 'step-failed', code: 'X', message: 'x' } as const;
const bug = { code: 'BUG', message: 'bug' };

describe('initialSnapshot', () => {
  it('stands at the beginning of the table with the context it was given', () => {
    expect(initialSnapshot(sample, { size: 'small' })).toMatchObject({
      state: 'START',
      visit: 1,
      incarnation: 1,
      counters: {},
      context: { size: 'small' },
    });
  });
});

describe('statusOf', () => {
  it.each([
    ['running', at('WORK')],
    ['running', at('WORK', { wait: { kind: 'time', reason: 'rate limit', ms: 1 } })],
    ['running', at('WORK', { wait: { kind: 'children', keys: ['a'] } })],
    ['running', at('TIDY')],
    ['waiting', at('ASK')],
    ['waiting', at('WORK', { wait: effect })],
    ['blocked', at('BLOCKED')],
    ['blocked', at('WORK', { wait: failedStep })],
    ['paused', at('ASK', { paused: true })],
    ['paused', at('TIDY', { paused: true })],
    ['completed', at('TIDY', { ended: true })],
    ['completed', at('TIDY', { ended: true, paused: true })],
    ['aborted', at('TIDY', { ended: true, aborting: true })],
    ['failed', at('WORK', { failure: bug })],
    ['failed', at('TIDY', { ended: true, failure: bug })],
    ['failed', at('NOWHERE')],
    ['failed', at('__proto__')],
    ['failed', at('constructor')],
  ] as const)('is %s in case %#', (status, snapshot) => {
    expect(statusOf(sample, snapshot)).toBe(status);
  });

  it('has ended at once in a terminal state that has nothing to do', () => {
    const machine = { ...sample, states: { ...sample.states, TIDY: { end: 'aborted' as const, on: {} } } };
    expect(statusOf(machine, at('TIDY'))).toBe('aborted');
  });
});

describe('isRunnable', () => {
  it('never holds for a project that has ended, is paused, waits, or has no state', () => {
    fc.assert(
      fc.property(fc.oneof(anyMachine, fc.constant(sample)), anySnapshot, (machine, snapshot) => {
        if (!isRunnable(machine, snapshot)) return;
        expect(snapshot).toMatchObject({ wait: null, paused: false, failure: null });
        expect(hasEnded(statusOf(machine, snapshot))).toBe(false);
        expect(stateOf(machine, snapshot)?.do).toBeDefined();
      }),
    );
  });

  it('holds in a terminal state until its activity is done', () => {
    expect(isRunnable(sample, at('TIDY'))).toBe(true);
    expect(isRunnable(sample, at('TIDY', { ended: true }))).toBe(false);
  });
});
