import { type CountReader, Tally } from './reader.js';

/** Subtests are parts of a test that has a number of its own, and are not counted. */
const SUMMARY =
  /^(\d{1,9} (?:subtests )?[a-z]{1,20}(?:, \d{1,9} (?:subtests )?[a-z]{1,20}){0,9}|no tests ran) in \d{1,9}\.\d{1,3}(?:s| seconds)/;
const WORDS = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
} as const;

export const pytestReader = (): CountReader =>
  new Tally('pytest', WORDS, (line, tally) => {
    const found = SUMMARY.exec(withoutRule(line))?.[1];
    if (found) tally.addAll(found);
  });

/** The rule of equals signs around the summary. */
function withoutRule(line: string): string {
  let start = 0;
  while (line[start] === '=') start += 1;
  return start > 0 && line[start] === ' ' ? line.slice(start + 1) : line;
}
