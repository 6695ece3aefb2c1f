import { describe, expect, it } from 'vitest';
import type { Comparison } from '#self-heal';
import { UNTOUCHED, verifiedAs } from './coding.fixture.js';
import { whyNoFix } from './why-no-fix.js';

const noWorse: Comparison = { isNoWorse: true, newFailures: [], oldFailures: [], worst: null };
const worse: Comparison = { ...noWorse, isNoWorse: false, newFailures: ['light becomes dark'] };
const facts = {
  comparison: noWorse,
  result: verifiedAs('passed'),
  tampering: UNTOUCHED,
  baseline: verifiedAs('passed'),
  hasChanged: true,
  isRolledBack: false,
  isUndone: false,
};

describe('an attempt is no fix', () => {
  it('where a test was removed or skipped, though everything passes', () => {
    const tampering = {
      ...UNTOUCHED,
      removedFiles: ['a.test.mjs'],
      skippedTests: [{ file: 'b.test.mjs', line: 'test.skip()' }],
    };
    expect(whyNoFix({ ...facts, tampering })).toBe(
      'tests were removed or skipped, and the request does not ask for that: a.test.mjs; b.test.mjs',
    );
  });

  it('if it takes back all that the task had changed', () => {
    expect(whyNoFix({ ...facts, isUndone: true })).toMatch(/^it removed the change of the task/);
  });

  it('if a verify command is gone', () => {
    const found = {
      ...verifiedAs('failed'),
      commands: [{ ...verifiedAs('failed').commands[0]!, command: 'npm run build' }],
    };
    expect(whyNoFix({ ...facts, found })).toBe('these verify commands no longer run: npm run build');
    expect(whyNoFix({ ...facts, found: verifiedAs('failed') })).toBeNull();
  });

  it('where a test fails that did not, and whether anything was changed at all', () => {
    expect(whyNoFix({ ...facts, comparison: worse })).toBe('still failing: light becomes dark');
    const nothing = whyNoFix({ ...facts, comparison: worse, hasChanged: false });
    expect(nothing).toBe('nothing was changed; still failing: light becomes dark');
    const unnamed = { ...worse, newFailures: [] };
    expect(whyNoFix({ ...facts, comparison: unnamed, result: verifiedAs('failed') })).toBe('it failed');
  });

  it('where the change of the task was taken back, and nothing was done anew: then nothing fails', () => {
    const nothing = { ...facts, isRolledBack: true, hasChanged: false };
    expect(whyNoFix(nothing)).toBe('the task had to be done again, and nothing was changed');
    expect(whyNoFix({ ...nothing, hasChanged: true })).toBeNull();
  });

  it('where no test ran, or none was reported that was before', () => {
    expect(whyNoFix({ ...facts, result: verifiedAs('passed', { passed: 0, skipped: 3 }) })).toBe('no test ran');
    expect(whyNoFix({ ...facts, result: verifiedAs('passed', null) })).toBe(
      'the verify commands reported tests before, and report none now',
    );
  });

  it('names five of many', () => {
    const removedFiles = Array.from({ length: 9 }, (_, nth) => `${String(nth)}.test.mjs`);
    expect(whyNoFix({ ...facts, tampering: { ...UNTOUCHED, removedFiles } })?.split('; ')).toHaveLength(5);
  });
});

describe('an attempt is a fix', () => {
  it('where nothing is worse, tests ran and none was touched', () => {
    expect(whyNoFix(facts)).toBeNull();
    expect(whyNoFix({ ...facts, baseline: null })).toBeNull();
  });

  it('where nobody can count tests, now as before', () => {
    const uncounted = verifiedAs('passed', null);
    expect(whyNoFix({ ...facts, result: uncounted, baseline: uncounted })).toBeNull();
  });
});
