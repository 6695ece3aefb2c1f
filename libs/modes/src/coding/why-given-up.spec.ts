import { describe, expect, it } from 'vitest';
import { whyGivenUp } from './why-given-up.js';

const REASON = 'the document a.md: it is not there';
const TITLE = `the check of T-001 does not hold (It is there.): ${REASON}`;

describe('what is read of a problem that was not mended', () => {
  it('says the reason of a check once, also where its title, the attempt and the output do', () => {
    const { message, why } = whyGivenUp(TITLE, 3, `nothing was changed; still failing: ${TITLE}`, REASON);
    expect(message).toBe(`${TITLE}: 3 attempts failed, the last one because nothing was changed; it still fails`);
    expect(why).toBe(message);
  });

  it('says it whole where the title was cut short', () => {
    for (const cut of [TITLE.slice(0, 40), `${TITLE.slice(0, 40)}…`]) {
      expect(whyGivenUp(cut, 2, `still failing: ${TITLE}`, REASON).why).toBe(
        `${TITLE}: 2 attempts failed, the last one because it still fails`,
      );
    }
  });

  it('leaves out the full stop of a title that is a sentence', () => {
    const title = 'The check still fails.';
    expect(whyGivenUp(title, 2, `still failing: ${title}`, '').message).toBe(
      'The check still fails: 2 attempts failed, the last one because it still fails',
    );
  });

  it('has all of an output but the reason that it begins with', () => {
    const title = 'the check of T-001 does not hold (It runs.): exit code 1';
    const { message, why } = whyGivenUp(
      title,
      1,
      `still failing: ${title}`,
      'exit code 1\nAssertionError: 1\nexit code 1',
    );
    expect(why).toBe(`${message}\n\nAssertionError: 1\nexit code 1`);
  });

  it('says what fails now where that is another thing, and of a long output the end', () => {
    const { message, why } = whyGivenUp(
      'light becomes dark',
      5,
      'still failing: dark becomes light',
      'x'.repeat(9_000),
    );
    expect(message).toBe(
      'light becomes dark: 5 attempts failed, the last one because still failing: dark becomes light',
    );
    expect(why).toBe(`${message}\n\n${'x'.repeat(4_000)}`);
    expect(whyGivenUp('a', 1, null, '').why).toBe('a: 1 attempt failed, the last one because it changed nothing');
  });
});
