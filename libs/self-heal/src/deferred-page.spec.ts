import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HealProblem } from '#contracts';
import { deferredFor, deferredFrom, deferredPage } from './deferred-page.js';

const problem: HealProblem = {
  id: 'P-001', signature: 's', title: 'sum is not a function', error: 'normalised', command: 'npm test', task: null,
  status: 'deferred', reason: 'five attempts failed',
  attempts: [{
    number: 1, tier: 'small', model: 'claude-haiku', usedPattern: false, outcome: 'failed', tried: 'exported sum',
    why: 'another test fails', costUsd: '0.01', diff: '', output: 'TypeError: no\n# heading', rolledBack: false,
  }],
}; // prettier-ignore

const headings = (page: string): string[] => page.split(/[\n\r]/).filter((line) => /^ {0,3}#/.test(line));

describe('DEFERRED.md', () => {
  it('has for each problem its attempts, last error, options, recommendation and owner', () => {
    expect(deferredPage([{ ...deferredFrom(problem), owner: 'Ann' }])).toBe(`# Deferred

## DEFER-001: sum is not a function

Problem: five attempts failed

### Attempts

- attempt 1, claude-haiku: exported sum — failed: another test fails

### Last error

    TypeError: no
    # heading

### Options

- start a new request that says what to do differently (effort: small)
- fix it by hand; the attempts above show what does not work (effort: unknown)

### Recommendation

To do: Read why the last attempt failed before you pay for another one.

Owner: Ann
`);
  });

  it('says so where there is nothing, or nothing is known', () => {
    expect(deferredPage([])).toBe('# Deferred\n\nNothing was put off.\n');
    expect(deferredPage([{ title: 'P2 finding', reason: 'not now' }])).toContain('Owner: none yet');
  });

  it.each(['budget', 'setup', 'unproven', 'unchanged', 'skipped', '__proto__'])(
    'has options with their effort and a recommendation for what was put off because of %s',
    (cause) => {
      const page = deferredPage([deferredFor({ title: 't', cause, reason: 'r', error: 'npm ERR!' })]);
      expect(page).toMatch(/### Last error\n\n {4}npm ERR!\n\n### Options\n\n- .* \(effort: \w+\)/);
      expect(page).toMatch(/### Recommendation\n\nTo do: [A-Z].*\./);
    },
  );

  it('numbers what it has', () => {
    const page = deferredPage(Array.from({ length: 12 }, () => ({ title: 't', reason: 'r' })));
    expect(page).toContain('## DEFER-012: t');
  });

  it('has the same headings whatever the texts are', () => {
    const hostile = fc
      .array(fc.constantFrom('#', '##', ' ', '\n', '\r', '\u2028', '---', '===', '<h1>', '`', '```', '-', 'a', '\u0000'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const [attempt] = problem.attempts;
        const attempts = attempt ? [{ ...attempt, tried: one, why: other, output: other, model: one }] : [];
        const page = deferredPage([{ ...deferredFrom({ ...problem, title: `t${one}`, reason: other, attempts }), owner: one }]);
        expect(headings(page)).toHaveLength(6);
        expect(page).not.toMatch(/(?<!\\)<h1>(?=.*— failed)/);
        expect(page.split('\n').filter((line) => /^(?:```|===|---)/.test(line))).toEqual([]);
      }),
    );
  }); // prettier-ignore
});
