import type { HealAttempt, HealProblem } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { tierOf } from '#self-heal';
import { cutShortBy, listed, problemsOf, unblocked } from './coding-context.js';

/** Beyond the ladder, where a person wants another attempt, stands its last tier. */
export const tierFor = (attempt: number): HealAttempt['tier'] => tierOf(attempt) ?? 'large';

/** The open problem; an attempt that a person skipped or cut short is among its attempts. */
export function currentProblem(activity: ActivityContext): HealProblem | null {
  const id = activity.context['problem'];
  const problem = problemsOf(activity).find((one) => one.id === id && one.status === 'open');
  if (!problem) return null;
  const command = cutShortBy(activity);
  if (command === null) return problem;
  const number = problem.attempts.length + 1;
  const attempt: HealAttempt = {
    number,
    tier: tierFor(number),
    model: null,
    usedPattern: false,
    outcome: 'skipped',
    tried: '',
    why: command === 'SKIP' ? 'a person skipped it' : 'a person asked for the next attempt',
    costUsd: null,
    diff: '',
    output: '',
    rolledBack: false,
  };
  return { ...problem, attempts: [...problem.attempts, attempt] };
}

export const withProblem = (activity: ActivityContext, problem: HealProblem): JsonObject[] =>
  listed(problemsOf(activity).map((one) => (one.id === problem.id ? problem : one)));

/** What a problem that is mended leaves in the context. */
export const mended = (activity: ActivityContext, problem: HealProblem): JsonObject => ({
  ...unblocked,
  problems: withProblem(activity, { ...problem, status: 'fixed' }),
  problem: null,
  trouble: null,
  healing: null,
  failures: 0,
  isRolledBack: false,
});
