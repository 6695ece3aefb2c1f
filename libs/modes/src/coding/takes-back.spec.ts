import { describe, expect, it } from 'vitest';
import { takesBack } from './takes-back.js';

const patch = (...lines: readonly string[]): string =>
  `diff --git a/a.mjs b/a.mjs\n--- a/a.mjs\n+++ b/a.mjs\n@@ -1,9 +1,9 @@\n${lines.join('\n')}\n`;

const TASK = patch(' const a = 1;', '-return price;', '+return price * 0.9;', '+log(price);');

describe('an attempt takes its task back', () => {
  it.each([
    ['all of it', patch('-return price * 0.9;', '-log(price);', '+return price;')],
    ['a part of it', patch('-log(price);')],
    ['all of it, with a comment in its place', patch('-return price * 0.9;', '+// ten percent off', '+return price;')],
  ])('if it undoes %s', (_title, attempt) => {
    expect(takesBack(TASK, attempt)).toBe(true);
  });

  it.each([
    ['writes something else in its place', patch('-return price * 0.9;', '+return round(price * 0.9);')],
    ['changes other code', patch('-const a = 1;', '+const a = 2;')],
    ['changes only comments', patch('+// later')],
    ['changes nothing', ''],
  ])('not if it %s', (_title, attempt) => {
    expect(takesBack(TASK, attempt)).toBe(false);
  });
});
