import { describe, expect, it } from 'vitest';
import type { HealAttempt, HealProblem } from '#contracts';
import { trippedBreaker } from './breakers.js';

const attempt = (outcome: HealAttempt['outcome']): HealAttempt => ({
  number: 1, tier: 'small', model: null, usedPattern: false, outcome, tried: '', why: null, costUsd: null, diff: '',
  output: '', rolledBack: false,
}); // prettier-ignore
const problem = (status: HealProblem['status'], outcomes: HealAttempt['outcome'][] = [], signature = 's'): HealProblem => ({
  id: 'P-001', signature, title: '', error: '', command: '', task: null, status, reason: null,
  attempts: outcomes.map(attempt),
}); // prettier-ignore
const tripped = (...problems: HealProblem[]) => trippedBreaker({ signature: 's', problems, orphans: 0 })?.name ?? null;

describe('the breaker of recurring errors', () => {
  it('leaves the attempts at one problem to the ladder', () => {
    expect(tripped(problem('open', ['failed', 'failed', 'failed', 'failed', 'failed']))).toBeNull();
  });

  it('trips when the error opens a problem for the third time', () => {
    const earlier = [problem('fixed', ['failed', 'fixed']), problem('deferred', ['failed'])];
    expect(tripped(...earlier.slice(0, 1), problem('open'))).toBeNull();
    expect(tripped(...earlier, problem('open'))).toBe('signature');
  });

  it('counts the error at hand before its problem is opened, too', () => {
    expect(tripped(problem('fixed', ['fixed']))).toBeNull();
    expect(tripped(problem('fixed', ['fixed']), problem('fixed', ['fixed']))).toBe('signature');
  });

  it('counts an error that came back to a problem after its fix', () => {
    expect(tripped(problem('open', ['fixed', 'failed']))).toBeNull();
    expect(tripped(problem('open', ['fixed', 'failed', 'fixed']))).toBe('signature');
  });

  it('does not mind other errors', () => {
    expect(tripped(problem('fixed', [], 'x'), problem('fixed', [], 'y'), problem('open'))).toBeNull();
  });

  it('has the limit that it is given', () => {
    const facts = { signature: 's', problems: [problem('fixed', ['fixed'])], orphans: 0, limits: { recurrences: 2 } };
    expect(trippedBreaker(facts)).toEqual({
      name: 'signature',
      message: 'the same error came up 2 times in this project',
    });
  });
});

describe('the breaker of orphans', () => {
  it('trips at the third process, or at the limit that it is given', () => {
    const facts = { signature: 's', problems: [] };
    expect(trippedBreaker({ ...facts, orphans: 2 })).toBeNull();
    expect(trippedBreaker({ ...facts, orphans: 3 })?.name).toBe('orphans');
    expect(trippedBreaker({ ...facts, orphans: 3, limits: { orphans: 4 } })).toBeNull();
  });
});
