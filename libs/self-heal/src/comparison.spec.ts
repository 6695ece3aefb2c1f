import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedTo, type VerifiedFacts, type VerifyFacts } from './comparison.js';

const passed: VerifiedFacts = { command: 'npm test', exitCode: 0, endedBy: 'itself', output: 'ok 1 - a\n', failed: 0 };
const named = (...names: string[]): VerifiedFacts => ({
  ...passed,
  exitCode: 1,
  output: names.map((name, nth) => `not ok ${String(nth + 1)} - ${name}`).join('\n'),
  failed: names.length,
});
const counted = (failed: number | null): VerifiedFacts => ({ ...passed, exitCode: 1, output: 'bad', failed });
const facts = (...commands: VerifiedFacts[]): VerifyFacts => ({
  verdict: commands.some(({ exitCode }) => exitCode !== 0) ? 'failed' : 'passed',
  commands,
});
const lint = (exitCode: number): VerifiedFacts => ({ ...counted(null), command: 'npm run lint', exitCode });

describe('a verification is no worse than the baseline', () => {
  it.each([
    ['where nothing fails', facts(passed), facts(passed)],
    ['where nothing fails and nobody looked before', null, facts(passed)],
    ['where every failing test was failing before', facts(named('a', 'b')), facts(named('b'))],
    ['where tests have no names, and no more of them fail', facts(counted(3)), facts(counted(2))],
    ['where a command without tests failed before too', facts(lint(1), passed), facts(lint(2), passed)],
    ['where it was ended by a time-out before, too', facts({ ...counted(null), endedBy: 'time-out' }), facts({ ...counted(null), endedBy: 'time-out' })],
    ['where only the line of a complaint has moved', facts({ ...lint(2), output: 'a.ts(1,2): error TS1: x' }), facts({ ...lint(2), output: 'a.ts(9,2): error TS1: x' })],
  ])('%s', (_, before, now) => {
    expect(comparedTo(before, now)).toMatchObject({ isNoWorse: true, newFailures: [] });
  }); // prettier-ignore

  it.each([
    ['another test fails, though fewer do', facts(named('a', 'b')), facts(named('c')), ['c']],
    ['nobody looked before and a test fails', null, facts(named('a')), ['a']],
    ['more tests without names fail', facts(counted(2)), facts(counted(3)), ['npm test: 3 tests fail instead of 2']],
    ['more tests of one name fail', facts(named('a')), facts(named('a', 'a')), ['npm test: 2 tests fail instead of 1']],
    ['a command fails that passed', facts(lint(0), passed), facts(lint(1), passed), ['npm run lint: fails with exit code 1']],
    ['a command fails that nobody ran before', facts(passed), facts(passed, lint(1)), ['npm run lint: fails with exit code 1']],
    ['it is ended by a time-out', facts(named('a')), facts({ ...named('a'), endedBy: 'time-out' }), ['npm test: ended by time-out']],
    ['it is ended by a limit, exit code 0 or not', facts(passed), facts({ ...passed, endedBy: 'memory' }), ['npm test: ended by memory']],
    ['it is ended by a signal', facts(passed), facts({ ...passed, exitCode: null }), ['npm test: ended by a signal']],
    ['it fails and no longer names its failing tests', facts(named('a')), facts(counted(1)), ['npm test: fails and no longer names its failing tests']],
    ['its tests no longer run', facts(counted(3)), facts(counted(null)), ['npm test: no longer says how its tests went']],
    ['a command that ends well reports a failed test', facts(passed), facts({ ...named('a'), exitCode: 0 }), ['a']],
    ['there is another complaint of the compiler', facts({ ...lint(2), output: 'a.ts(1,2): error TS1: x' }), facts({ ...lint(2), output: 'b.ts(1,2): error TS1: x' }), ['b.ts: TS1: x']],
  ])('and worse where %s', (_, before, now, newFailures) => {
    expect(comparedTo(before, now)).toMatchObject({ isNoWorse: false, newFailures });
  }); // prettier-ignore

  it('says what failed before too, and which command to look at', () => {
    const before = facts(named('a', 'b'), lint(1));
    expect(comparedTo(before, facts(lint(1), named('a', 'c')))).toEqual({
      isNoWorse: false,
      newFailures: ['c'],
      oldFailures: ['a', 'npm run lint: failed before too'],
      worst: { command: 'npm test', output: named('a', 'c').output },
    });
  });

  const run = fc.oneof(
    fc.constant(passed),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '__proto__'), { minLength: 1 }).map((names) => named(...names)),
    fc.integer({ min: 1, max: 5 }).map(counted),
  );

  it('than itself, always', () => {
    fc.assert(
      fc.property(run, (one) => {
        expect(comparedTo(facts(one), facts(one)).isNoWorse).toBe(true);
      }),
    );
  });

  it('has something to look at whenever it is worse', () => {
    fc.assert(
      fc.property(fc.option(run), run, (before, now) => {
        const { isNoWorse, newFailures, worst } = comparedTo(before && facts(before), facts(now));
        expect(isNoWorse).toBe(newFailures.length === 0);
        expect(isNoWorse || worst !== null).toBe(true);
      }),
    );
  });
});
