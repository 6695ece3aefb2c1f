import type { OutcomeCase } from './case.js';

/** The cases of a command line. A whole name means its case, any other word all cases that begin with it. No name: all. */
export function chooseCases(cases: readonly OutcomeCase[], given: readonly string[]): readonly OutcomeCase[] {
  const names = new Set(cases.map(({ name }) => name));
  const isMeant = (name: string): boolean =>
    given.some((word) => (names.has(word) ? name === word : name.startsWith(word)));
  return cases.filter(({ name }) => given.length === 0 || isMeant(name));
}
