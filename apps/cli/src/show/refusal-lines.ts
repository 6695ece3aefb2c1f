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
    ...`${code}: ${inOwnWords(detail)}`.split('\n'),
    // What the sentence has said already is not said again.
    ...issues
      .map(({ path, message }) => `${path}: ${message}`)
      .flatMap((one) => (detail.includes(one) ? [] : `  ${one}`)),
    ...added.flatMap(({ name, text }) => (detail.includes(text) ? [] : `  ${name}: ${text}`)),
  ];
}

/** A call of the API is no help to whoever sits at a command line that has it. */
const inOwnWords = (detail: string): string =>
  detail
    .replace('GET /v1/projects lists them', 'qralph list shows them')
    .replace('GET …/artifacts lists what there is', 'qralph artifacts PROJECT shows what there is');

/** Whatever is more than a few words is for programs, in --json. */
function isPlain(value: unknown): value is string | number | readonly string[] {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number';
}
