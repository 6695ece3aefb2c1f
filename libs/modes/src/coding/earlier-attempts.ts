import type { HealAttempt, HealProblem } from '#contracts';
import type { ActivityContext } from '#engine';
import { material, parts } from '../shared/prompt.js';
import { contextOf } from './context.js';

const LONGEST_KEPT = 4_000;

/** The attempts at a problem, with their diffs and outputs, which have keys of their own in the context. */
export const withKept = (
  activity: Pick<ActivityContext, 'context'>,
  { id, attempts }: HealProblem,
): readonly HealAttempt[] =>
  attempts.map((attempt) => {
    const kept = contextOf(activity)[`attempt-${id}-${String(attempt.number)}`];
    const { diff = '', output = '' } = (kept ?? {}) as { readonly diff?: string; readonly output?: string };
    return { ...attempt, diff: diff.slice(0, LONGEST_KEPT), output: output.slice(-LONGEST_KEPT) };
  });

const MOST_ATTEMPTS = 5;
/** The newest attempts are shown with what they changed, older ones in words alone. */
const MOST_DIFFS = 3;

/** What an agent is shown of an attempt. */
export type ShownAttempt = Pick<HealAttempt, 'number' | 'tried' | 'why' | 'diff' | 'output'>;

/** The last attempts, the newest first. Null if there are none. */
export function renderAttempts(attempts: readonly ShownAttempt[]): string | null {
  if (attempts.length === 0) return null;
  return parts(
    '# What was tried already, and did not work',
    'The changes of these attempts are no longer in the files. The newest attempt comes first.',
    ...attempts
      .slice(-MOST_ATTEMPTS)
      .toReversed()
      .map((attempt, age) => renderAttempt(attempt, age < MOST_DIFFS)),
  );
}

const renderAttempt = ({ number, tried, why, diff, output }: ShownAttempt, isWhole: boolean): string =>
  parts(
    material(`Attempt ${String(number)}`, `${tried}\nWhy it does not count: ${why ?? 'unknown'}`, 2_000),
    diff === '' || !isWhole ? null : material('Its diff', diff, 2_000),
    output === '' || !isWhole ? null : material('What the verify commands printed after it', output, 1_500),
  );
