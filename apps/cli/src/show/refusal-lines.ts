import type { Problem } from '#contracts';
import { clean } from './clean.js';

type Told = Pick<Problem, 'code' | 'detail'> & Partial<Pick<Problem, 'issues' | 'details'>>;

/** Why something was not done: the code, what to do, every fault, and what the service adds to it. */
export function refusalLines(problem: Told): string[] {
  const { code, detail, issues = [], details = {} } = clean(problem);
  const added = Object.entries(details).flatMap(([name, value]) =>
    isPlain(value) ? [{ name, text: Array.isArray(value) ? value.join(', ') : String(value) }] : [],
  );
  return [
    ...`${code}: ${detail}`.split('\n'),
    // What the sentence has said already is not said again.
    ...issues
      .map(({ path, message }) => `${path}: ${message}`)
      .flatMap((one) => (detail.includes(one) ? [] : `  ${one}`)),
    ...added.flatMap(({ name, text }) => (detail.includes(text) ? [] : `  ${name}: ${text}`)),
  ];
}

/** Whatever is more than a few words is for programs, in --json. */
function isPlain(value: unknown): value is string | number | readonly string[] {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number';
}
