import type { HealProblem } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { neverHealed, trippedBreaker } from '#self-heal';
import type { Worktree } from '#workspace';
import { blockedBySetup } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { verified } from '../shared/verification.js';
import { asJson, baselineOf, commitOf, shown } from '../shared/work-parts.js';
import { askPerson } from './ask-person.js';
import { codingOrderOf, type CodingParts, cutShortBy, problemsOf, resolvedBlock, unblocked } from './coding-context.js';
import { attemptToHeal } from './heal-attempt.js';
import { currentProblem, mended, withProblem } from './heal-problem.js';
import { leftByPerson } from './left-by-person.js';
import { judgedAgainst } from './problem.js';
import { orphansOf } from './orphans.js';
import { putBack } from './put-back.js';

/** SELF_HEAL: one attempt a visit. What counts as a fix is decided by the verify commands, not by the agent. */
export const heal =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const problem = currentProblem(activity);
    if (!problem) return report('problem:fixed', { ...unblocked, problem: null, healing: null });
    const startCommit = commitOf(activity) ?? worktree.baseCommit;
    // A person who sends it back after a block has decided, and may have mended the cause.
    if (resolvedBlock(activity)) return goOn(parts, activity, worktree, problem);
    if (cutShortBy(activity) !== null) await putBack(parts, activity, worktree);
    const refused = await refusal(parts, activity, problem);
    return refused ?? attemptToHeal(parts, activity, worktree, { problem, startCommit });
  };

/** After a block: what a person left is looked at first, and the next attempt begins with it. */
async function goOn(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
): Promise<Report> {
  const before = commitOf(activity) ?? worktree.baseCommit;
  const left = await leftByPerson(parts, activity, worktree);
  // Where the change was taken back nothing fails, and nothing is done either.
  const isUntouched = activity.context['isRolledBack'] === true && left === before;
  const mended = isUntouched ? null : await asMended(parts, activity, worktree, problem, left);
  if (mended) return mended;
  // What is there may be what an attempt left that was cut short: nobody goes on from that.
  const startCommit = isCutShort(activity, problem) ? before : left;
  return attemptToHeal(parts, activity, worktree, { problem, startCommit });
}

/** Its last attempt was cut short by a command, maybe a block ago. */
const isCutShort = (activity: ActivityContext, { id, attempts }: HealProblem): boolean =>
  problemsOf(activity).some((known) => known.id === id && known.attempts.length < attempts.length);

async function asMended(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
  commit: string,
): Promise<Report | null> {
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

/** What is never healed by itself, and what a breaker stops: a person is asked, with the reason. */
async function refusal(parts: CodingParts, activity: ActivityContext, problem: HealProblem): Promise<Report | null> {
  const trouble = activity.context['trouble'] as { output?: string } | undefined;
  const output = trouble?.output ?? problem.error;
  const { breakers: limits } = codingOrderOf(activity);
  const defer = (cause: string, message: string, patch: JsonObject = {}): Report =>
    askPerson({ cause, message, output }, { ...patch, problems: withProblem(activity, problem) }, 'problem:deferred');
  const before =
    baselineOf(activity)
      ?.commands.map((one) => one.output)
      .join('\n') ?? '';
  const never = neverHealed({ output, before });
  if (never !== null) return defer('never-healed', never);
  const orphans = await orphansOf(parts, activity);
  const problems = problemsOf(activity);
  const { signature } = problem;
  const breaker = trippedBreaker({ signature, problems, orphans: orphans.unseen, ...(limits && { limits }) });
  return breaker && defer(`breaker-${breaker.name}`, breaker.message, { orphansSeen: orphans.all });
}
