import type { HealProblem } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import { neverHealed, trippedBreaker } from '#self-heal';
import type { Worktree } from '#workspace';
import { blockedBySetup } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { verified } from '../shared/verification.js';
import { asJson, baselineOf, commitOf, shown } from '../shared/work-parts.js';
import { askPerson } from './ask-person.js';
import { type CodingParts, problemsOf, resolvedBlock, unblocked } from './coding-context.js';
import { attemptToHeal } from './heal-attempt.js';
import { currentProblem, mended, withProblem } from './heal-problem.js';
import { judgedAgainst } from './problem.js';
import { isLeftOpen, putBack } from './put-back.js';

/** SELF_HEAL: one attempt a visit. What counts as a fix is decided by the verify commands, not by the agent. */
export const heal =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const problem = currentProblem(activity);
    if (!problem) return report('problem:fixed', { ...unblocked, problem: null, healing: null });
    if (isLeftOpen(activity) || isCutShort(activity, problem)) await putBack(parts, activity, worktree);
    // A person who sends it back after a block has decided, and may have mended the cause.
    if (resolvedBlock(activity)) {
      const already = await mendedByPerson(parts, activity, worktree, problem);
      if (already) return already;
    } else {
      const refused = await refusal(parts, activity, problem);
      if (refused) return refused;
    }
    return attemptToHeal(parts, activity, worktree, problem);
  };

/** Its last attempt was cut short by a command, maybe a block ago. */
const isCutShort = (activity: ActivityContext, { id, attempts }: HealProblem): boolean =>
  problemsOf(activity).some((known) => known.id === id && known.attempts.length < attempts.length);

async function mendedByPerson(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
): Promise<Report | null> {
  const before = commitOf(activity) ?? worktree.baseCommit;
  const commit = await leftByPerson(parts, activity, worktree);
  // Where the change was taken back nothing fails, and nothing is done either.
  if (activity.context['isRolledBack'] === true && commit === before) return null;
  const result = await verified(parts, activity, worktree, { commit, step: 'look-again' });
  if (!judgedAgainst(baselineOf(activity), result).isNoWorse) return null;
  const patch = {
    ...mended(activity, problem),
    ...shown(worktree, commit),
    verification: asJson(result),
    healed: { commit, summary: 'mended by a person' },
  };
  return report('problem:fixed', patch, { problem: problem.id, by: 'a person' });
}

/** The files as a person left them: whoever mends it by hand does so in the worktree. */
async function leftByPerson(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<string> {
  return activity.effect({ step: 'as-left', settle: { kind: 'repeat' }, run: () => worktrees.snapshot(worktree) });
}

/** What is never healed by itself, and what a breaker stops: a person is asked, with the reason. */
async function refusal(parts: CodingParts, activity: ActivityContext, problem: HealProblem): Promise<Report | null> {
  const trouble = activity.context['trouble'] as { output?: string } | undefined;
  const output = trouble?.output ?? problem.error;
  const defer = (cause: string, message: string): Report =>
    askPerson({ cause, message, output }, { problems: withProblem(activity, problem) }, 'problem:deferred');
  const before =
    baselineOf(activity)
      ?.commands.map((one) => one.output)
      .join('\n') ?? '';
  const never = neverHealed({ output, before });
  if (never !== null) return defer('never-healed', never);
  const orphans = await activity.effect({
    step: 'orphans',
    settle: { kind: 'repeat' },
    run: () => parts.processes.orphansOf(activity.project.id),
  });
  const { signature } = problem;
  const breaker = trippedBreaker({ signature, problems: problemsOf(activity), orphans });
  return breaker && defer(`breaker-${breaker.name}`, breaker.message);
}
