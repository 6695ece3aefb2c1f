import type { HealProblem } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { neverHealed, trippedBreaker } from '#self-heal';
import type { Worktree } from '#workspace';
import { blockedBySetup } from './ask-person.js';
import { enterSetUp } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { namedApart } from '../shared/named-apart.js';
import { asJson, baselineOf, commitOf, shown } from '../shared/work-parts.js';
import { askPerson } from './ask-person.js';
import { codingOrderOf, type CodingParts, cutShortBy, problemsOf, resolvedBlock, unblocked } from './coding-context.js';
import { contextOf, patchOf } from './context.js';
import { attemptToHeal } from './heal-attempt.js';
import { currentProblem, mended, withProblem } from './heal-problem.js';
import { checkedAs } from './heal-check.js';
import { keptOfPerson, leftByPerson } from './left-by-person.js';
import { implementerStrategy, type TaskStrategies } from './task-strategy.js';
import { verifySteadily } from './proof/verify-step.js';
import { neverBetween } from './never-between.js';
import { orphansOf } from './orphans.js';
import { troubleOf } from './problem.js';
import { listAttempts } from './problem-screen.js';
import { putBack } from './put-back.js';
import { stoppedBy } from './run-agent.js';
import { doneInAll } from './work-task.js';

/** SELF_HEAL: one attempt a visit. What counts as a fix is decided by the verify commands, not by the agent. */
export const heal =
  (parts: CodingParts, strategies: TaskStrategies = () => implementerStrategy(parts)): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(activity, failed);
    const problem = currentProblem(activity);
    if (!problem) return report('problem:fixed', { ...unblocked, problem: null, healing: null });
    const startCommit = commitOf(activity) ?? worktree.baseCommit;
    // A person who sends it back after a block has decided, and may have mended the cause.
    const left = resolvedBlock(activity);
    if (left) return goOn(parts, activity, worktree, { problem, decision: left.decision, strategies });
    if (cutShortBy(activity) !== null) await putBack(parts, activity, worktree);
    const refused = await refusal(parts, activity, problem);
    return refused ?? attemptToHeal(parts, activity, worktree, { problem, startCommit, strategies });
  };

/** After a block: what a person left is looked at first, and the next attempt begins with it. */
async function goOn(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { problem, decision, strategies }: { readonly problem: HealProblem; readonly decision: string; readonly strategies: TaskStrategies }, // prettier-ignore
): Promise<Report> {
  const before = commitOf(activity) ?? worktree.baseCommit;
  const left = await leftByPerson(parts, activity, worktree);
  const isCut = isCutShort(activity, problem);
  // Where the change was taken back nothing fails, and where an attempt was cut short it may have left anything: only a
  // person who says that it is done has done it.
  const isDoubtful = isCut || contextOf(activity).isRolledBack === true;
  const isLookedAt = !isDoubtful || (decision === 'resolve' && left !== before);
  const looked = isLookedAt
    ? await asMended(parts, activity, worktree, { problem, commit: left, before, isCut, strategies })
    : NOT_MENDED;
  if (looked.report) return looked.report;
  const startCommit = isCut ? before : left;
  await putBack(parts, activity, worktree, { to: startCommit });
  // What somebody came across on looking holds, whatever becomes of the attempt.
  return attemptToHeal(parts, withPatchedContext(activity, looked.seen), worktree, {
    problem,
    startCommit,
    strategies,
    kept: { ...looked.seen, ...keptOfPerson(activity, worktree, left) },
  });
}

/** Its last attempt was cut short by a command, maybe a block ago. */
const isCutShort = (activity: ActivityContext, { id, attempts }: HealProblem): boolean =>
  problemsOf(activity).some((known) => known.id === id && known.attempts.length < attempts.length);

interface Mended {
  readonly problem: HealProblem;
  readonly commit: string;
  readonly before: string;
  readonly isCut: boolean;
  readonly strategies: TaskStrategies;
}

/** A report where it is mended, or nobody can tell now; otherwise what was seen on looking. */
type Looked = { readonly report: Report; readonly seen?: never } | { readonly report: null; readonly seen: JsonObject };

const NOT_MENDED: Looked = { report: null, seen: {} };

async function asMended(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { problem, commit, before, isCut, strategies }: Mended,
): Promise<Looked> {
  const { result, comparison } = await verifySteadily(parts, activity, worktree, { commit, step: 'look-again' });
  if (!comparison.isNoWorse) return { report: null, seen: patchOf({ trouble: troubleOf(comparison) }) };
  // What an agent may have left is judged as an agent's.
  if (isCut && (await neverBetween(parts, activity, worktree, before, commit)) !== null) return NOT_MENDED;
  // An attempt that follows in this visit is checked as well.
  const seen = withPatchedContext(namedApart(activity, 'look-again'), { verification: asJson(result) });
  const checked = await checkedAs(strategies, seen, worktree, { commit });
  if (checked?.kind === 'stopped') return { report: stoppedBy(activity, checked.outcome, checked.patch, null) };
  if (checked?.kind === 'failed') {
    return { report: null, seen: { ...checked.patch, ...patchOf({ trouble: troubleOf(checked.comparison) }) } };
  }
  const patch = {
    ...mended(activity, problem),
    ...checked?.patch,
    ...shown(worktree, commit),
    verification: asJson(result),
    healed: { commit, summary: doneInAll(activity, 'mended by a person') },
  };
  return { report: report('problem:fixed', patch, { problem: problem.id, by: 'a person' }) };
}

/** What is never healed by itself, and what a breaker stops: a person is asked, with the reason. */
async function refusal(parts: CodingParts, activity: ActivityContext, problem: HealProblem): Promise<Report | null> {
  const { trouble } = contextOf(activity);
  const output = trouble?.output ?? problem.error;
  const { breakers: limits } = codingOrderOf(activity);
  const defer = (cause: string, message: string, patch: JsonObject = {}): Report =>
    askPerson(
      activity,
      { cause, message, output },
      { ...patch, problems: withProblem(activity, problem) },
      { event: 'problem:deferred', sections: [listAttempts(problem.attempts)] },
    );
  const before =
    baselineOf(activity)
      ?.commands.map((one) => one.output)
      .join('\n') ?? '';
  const never = neverHealed({ output, before });
  if (never !== null) return defer('never-healed', `Only a person may fix "${problem.title}": ${never}.`);
  const orphans = await orphansOf(parts, activity);
  const problems = problemsOf(activity);
  const { signature } = problem;
  const breaker = trippedBreaker({ signature, problems, orphans: orphans.unseen, ...(limits && { limits }) });
  if (breaker === null) return null;
  const message = `The service stopped trying to fix "${problem.title}": ${breaker.message}.`;
  return defer(`breaker-${breaker.name}`, message, { orphansSeen: orphans.all });
}
