import { describe, expect, it } from 'vitest';
import { whyGivenUp } from './why-given-up.js';

const messageOf = (...given: Parameters<typeof whyGivenUp>): string => whyGivenUp(...given).message;

const REASON = 'the document a.md: it is not there';
const TITLE = `The check of T-001 does not hold (It is there.): ${REASON}.`;

describe('what a person reads of a problem that no attempt fixed', () => {
  it('names the test or check that still fails', () => {
    expect(messageOf('sorts by number', 5, 'still failing: sorts by number', '')).toBe(
      'The test "sorts by number" still fails after 5 attempts.',
    );
    expect(messageOf('a month has 30 days', 1, 'still failing: a month has 30 days', '', true)).toBe(
      'The check "a month has 30 days" still fails after 1 attempt.',
    );
    expect(messageOf('sorts (and 2 more)', 5, 'still failing: sorts; adds; rounds', '')).toBe(
      'The test "sorts" and 2 more still fail after 5 attempts.',
    );
  });

  it('keeps a title that is a sentence, or says how a command ended', () => {
    expect(messageOf('The check still fails.', 2, 'still failing: The check still fails.', '')).toBe(
      'The check still fails. 2 attempts did not fix it.',
    );
    expect(messageOf('npm test: 3 tests fail (and 1 more)', 2, 'still failing: npm test: 3 tests fail', '')).toBe(
      'npm test: 3 tests fail. (And 1 more.) 2 attempts did not fix it.',
    );
  });

  it('says what is special about the last attempt', () => {
    const test = 'The test "sorts" still fails after 3 attempts.';
    expect(messageOf('sorts', 3, null, '')).toBe(`${test} The last attempt changed nothing.`);
    expect(messageOf('sorts', 3, 'nothing was changed; still failing: sorts', '')).toBe(
      `${test} The last attempt changed nothing.`,
    );
    expect(messageOf('sorts', 3, 'no test ran', '')).toBe(`${test} The last attempt failed: no test ran.`);
    expect(messageOf('sorts', 3, 'still failing: adds', '')).toBe(`${test} This fails now: adds.`);
  });

  it('says the reason of a check once, also if its title, the attempt and the output have it', () => {
    const { message, why } = whyGivenUp(TITLE, 3, `still failing: ${TITLE}`, REASON);
    expect(message).toBe(`${TITLE} 3 attempts did not fix it.`);
    expect(why).toBe(message);
  });

  it('says a title whole that was cut short', () => {
    expect(whyGivenUp(`${TITLE.slice(0, 40)}…`, 2, `still failing: ${TITLE}`, REASON).why).toBe(
      `${TITLE} 2 attempts did not fix it.`,
    );
  });

  it('has all of an output but the reason that it begins with, and of a long one the end', () => {
    const title = 'The check of T-001 does not hold (It runs.): exit code 1.';
    const output = 'exit code 1\nAssertionError: 1\nexit code 1';
    const { message, why } = whyGivenUp(title, 1, `still failing: ${title}`, output);
    expect(why).toBe(`${message}\n\nAssertionError: 1\nexit code 1`);
    expect(whyGivenUp('a', 5, 'still failing: a', 'x'.repeat(9_000)).why).toBe(
      `The test "a" still fails after 5 attempts.\n\n${'x'.repeat(4_000)}`,
    );
  });
});
