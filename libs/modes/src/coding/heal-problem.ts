import type { HealAttempt, HealProblem } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { tierOf } from '#self-heal';
import { healAttempts } from '../shared/bounds.js';
import { contextOf } from './context.js';
import { cutShortBy, listed, problemsOf, resolvedBlock, unblocked } from './coding-context.js';

/** Beyond the ladder, where a person wants another attempt, stands its last tier. */
export const tierFor = (attempt: number): HealAttempt['tier'] => tierOf(attempt) ?? 'large';

/** The open problem. Attempts that a person skipped or cut short reported nothing: the engine has counted them. */
export function currentProblem(activity: ActivityContext): HealProblem | null {
  const id = contextOf(activity).problem;
  const problem = problemsOf(activity).find((one) => one.id === id && one.status === 'open');
  if (!problem) return null;
  const begun = begunAttempts(activity.counters, problem);
  // The one at hand is not over, unless a person comes back to the problem after the last one.
  const over = resolvedBlock(activity)?.cause === 'problem' ? begun : begun - 1;
  return withCutShort(problem, over, cutShortBy(activity) === 'SKIP');
}

/** As the engine has counted them, that at hand among them. */
export const begunAttempts = (counters: ActivityContext['counters'], { id }: Pick<HealProblem, 'id'>): number =>
  counters[`${healAttempts.name}/${id}`] ?? 0;

/** Whether a person is asked if the attempt at hand fails. */
export function isLastAttempt(activity: Pick<ActivityContext, 'context' | 'counters'>): boolean {
  const { problem, healAttempts: most = healAttempts.max } = contextOf(activity);
  return typeof problem === 'string' && begunAttempts(activity.counters, { id: problem }) >= most;
}

/** With those that reported nothing, where so many are over. */
export function withCutShort(problem: HealProblem, over: number, isSkip: boolean): HealProblem {
  const attempts = [...problem.attempts];
  while (attempts.length < over) attempts.push(cutShort(attempts.length + 1, isSkip && attempts.length + 1 === over));
  return { ...problem, attempts };
}

const cutShort = (number: number, isSkip: boolean): HealAttempt => ({
  number,
  tier: tierFor(number),
  model: null,
  usedPattern: false,
  outcome: 'skipped',
  tried: '',
  why: isSkip ? 'a person skipped it' : 'a person asked for the next attempt',
  costUsd: null,
  diff: '',
  output: '',
  rolledBack: false,
});

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
