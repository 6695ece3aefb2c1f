import { describe, expect, it } from 'vitest';
import { completionFacts } from './completion-facts.js';

describe('the facts about a completed project', () => {
  it.each([
    [{ isProven: true }, 'yes'],
    [{ isProven: false }, 'no'],
    [{ isProven: true, isWhollyAccepted: false }, 'no'],
    [{ isProven: true, simulated: true }, 'simulated'],
    [{ simulated: true }, 'simulated'],
  ])('%j: proven is %s', (context, proven) => {
    expect(completionFacts(context)).toEqual({ proven, proof: null });
  });

  it('has the first pieces of evidence, shortened', () => {
    const evidence = ['a passes now', 'x'.repeat(1_000), 7, 'third', 'fourth'];
    expect(completionFacts({ isProven: true, evidence })).toEqual({
      proven: 'yes',
      proof: { evidence: ['a passes now', `${'x'.repeat(299)}…`, 'third'] },
    });
  });

  it('is empty for a machine that proves nothing', () => {
    expect(completionFacts({ evidence: ['a'] })).toEqual({});
  });
});
