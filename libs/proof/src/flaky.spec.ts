import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineRuns } from './flaky.js';

describe('combineRuns', () => {
  it('calls a test that fails in each run failing', () => {
    expect(combineRuns([{ failing: ['a', 'b'] }, { failing: ['b', 'a'] }])).toEqual({ failing: ['a', 'b'], flaky: [] });
  });

  it('calls a test that fails in some runs flaky', () => {
    expect(combineRuns([{ failing: ['a', 'b'] }, { failing: ['b', 'c'] }])).toEqual({
      failing: ['b'],
      flaky: ['a', 'c'],
    });
  });

  it('believes a single run', () => {
    expect(combineRuns([{ failing: ['a', 'a'] }])).toEqual({ failing: ['a'], flaky: [] });
  });

  it('finds nothing without runs', () => {
    expect(combineRuns([])).toEqual({ failing: [], flaky: [] });
  });

  it('puts each name that failed in exactly one list', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(fc.array(names), (runs) => {
        const { failing, flaky } = combineRuns(runs.map((failing) => ({ failing })));
        expect([...failing, ...flaky].sort()).toEqual([...new Set(runs.flat())].sort());
      }),
    );
  });
});
