import type { HealProblem } from '#contracts';
import { AT_PROBLEM, type Deferred, deferredFor, deferredFrom, deferredPage } from '#self-heal';
import { deferredOf, findingsOf, problemsOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { linesOfFailures } from '../problem-screen.js';
import { leftToPeople } from './left-to-people.js';
import type { Shown } from './seed-state.js';

/** DEFERRED.md: what the project is blocked by, what was put off, and findings that no task fixed. */
export const deferredText = (scene: Shown): string => {
  const problems = new Map(problemsOf(scene).map((problem) => [problem.id, withOutputs(scene, problem)]));
  const items = deferredOf(scene).map((item) => {
    const problem = problems.get(item.problem ?? '');
    return problem ? { ...deferredFrom(problem), reason: item.reason } : deferredFor(item);
  });
  const blocked = blockedItems(scene);
  return deferredPage([...blocked, ...items, ...leftToPeople(findingsOf(scene))], blocked.length > 0);
};

/** At a block, what the project waits for: a person may put it off. */
function blockedItems(scene: Shown): readonly Deferred[] {
  const { block, problem: id } = contextOf(scene);
  if (scene.state !== 'BLOCKED' || !block) return [];
  const problem = problemsOf(scene).find((one) => one.id === id && one.status === 'open');
  if (problem) {
    const item = deferredFrom(withOutputs(scene, problem));
    const own = linesOfFailures(item.lastError ?? '', contextOf(scene).trouble?.newFailures ?? []);
    return [{ ...item, ...AT_PROBLEM, reason: block.message, lastError: own === '' ? (item.lastError ?? '') : own }];
  }
  const { cause, message, output } = block;
  // A message may be a whole screen, which the gate shows. Its first line says what is missing.
  const reason = message.split('\n')[0] ?? cause;
  const title = reason.slice(0, 200);
  return [deferredFor({ title, cause, reason, ...(output !== undefined && { error: output.slice(-4_000) }) })];
}

/** What an attempt printed has a key of its own. */
const withOutputs = ({ context }: Shown, problem: HealProblem): HealProblem => ({
  ...problem,
  attempts: problem.attempts.map((attempt) => {
    const kept = context[`attempt-${problem.id}-${String(attempt.number)}`] as { output?: string } | undefined;
    return { ...attempt, output: kept?.output ?? '' };
  }),
});
