import type { Problem } from '#contracts';
import { clean } from './clean.js';

type Told = Pick<Problem, 'code' | 'detail'> & Partial<Pick<Problem, 'issues' | 'details'>>;

/** Why something was not done: the code, what to do, every fault, and what the service adds to it. */
export function refusalLines(problem: Told): string[] {
  const { code, detail, issues = [], details = {} } = clean(problem);
  return [
    ...`${code}: ${detail}`.split('\n'),
    ...issues.map(({ path, message }) => `  ${path}: ${message}`),
    ...Object.entries(details).map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : words(value)}`),
  ];
}

const words = (value: unknown): string =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : JSON.stringify(value);
