import type { HealProblem } from '#contracts';
import { type Deferred, deferredFor, deferredFrom, deferredPage } from '#self-heal';
import { deferredOf, findingsOf, problemsOf } from '../coding-context.js';
import { answerAt, type BlockCause } from '../block-screen.js';
import { isErrand, waysOut } from '../block-ways.js';
import { contextOf } from '../context.js';
import { firstLine } from '../screen-lines.js';
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
  const note = blocked.length > 0 ? noteAtBlock(scene) : null;
  return deferredPage([...blocked, ...items, ...leftToPeople(findingsOf(scene))], note);
};

/** A project that waits at a block has deferred nothing yet. */
function noteAtBlock(scene: Shown): string {
  const what = isErrand(scene) ? 'errand' : 'project';
  return `The ${what} is blocked, and waits for a decision. The options of DEFER-001 are what a person can decide now.`;
}

/** At a block, what the project waits for, with the options of its gate. */
function blockedItems(scene: Shown): readonly Deferred[] {
  const { block, problem: id } = contextOf(scene);
  if (scene.state !== 'BLOCKED' || !block) return [];
  const problem = problemsOf(scene).find((one) => one.id === id && one.status === 'open');
  if (problem) {
    const item = deferredFrom(withOutputs(scene, problem));
    const own = linesOfFailures(item.lastError ?? '', contextOf(scene).trouble?.newFailures ?? []);
    const lastError = own === '' ? (item.lastError ?? '') : own;
    return [{ ...item, ...adviceAt(scene, block), reason: firstLine(block.message), lastError }];
  }
  const { cause, message, output } = block;
  const reason = firstLine(message);
  const item = { title: reason.slice(0, 200), cause, reason };
  const advice = adviceAt(scene, block);
  return [{ ...deferredFor({ ...item, ...(output !== undefined && { error: output.slice(-4_000) }) }), ...advice }];
}

/** The decisions that the gate takes now, in the words of its screen. */
function adviceAt(scene: Shown, block: BlockCause): Pick<Deferred, 'options' | 'recommendation'> {
  const options = waysOut(scene, block.cause).map(({ decision, does }) => ({
    what: decision === 'raise the budget' ? `${decision}: it ${does}` : `decide ${decision}: it ${does}`,
    effort: effortOf(decision),
  }));
  return { options, recommendation: capitalise(answerAt(scene, block).likely.replaceAll('`', '')) };
}

/** How much it takes to remove a cause is not known. */
const effortOf = (decision: string): 'small' | 'unknown' =>
  decision === 'resolve' || decision === 'RETRY' ? 'unknown' : 'small';

const capitalise = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** What an attempt printed has a key of its own. */
const withOutputs = ({ context }: Shown, problem: HealProblem): HealProblem => ({
  ...problem,
  attempts: problem.attempts.map((attempt) => {
    const kept = context[`attempt-${problem.id}-${String(attempt.number)}`] as { output?: string } | undefined;
    return { ...attempt, output: kept?.output ?? '' };
  }),
});
