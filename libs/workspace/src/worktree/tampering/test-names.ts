import type { PatchLine } from '#kernel';
import { dialectOf } from './dialects.js';
import { testsIn } from './tests-in-hunk.js';

const LONGEST_LINE = 2_000;

/** The names of the tests in a whole file, as its source spells them; empty if its language is unknown. */
export function testNamesIn(path: string, source: string): readonly string[] {
  const dialect = dialectOf(path);
  if (dialect === null) return [];
  const lines = source.split('\n').map((text): PatchLine => ({ kind: '+', text: text.slice(0, LONGEST_LINE) }));
  return [...new Set(testsIn(lines, '+', dialect))];
}
