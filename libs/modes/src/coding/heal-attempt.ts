import type { HealAttempt, HealPattern, HealProblem } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { afterFailure } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { withPatchedContext } from '../shared/patched-context.js';
import type { Prompt } from '../shared/prompt.js';
import { repeatable } from '../shared/repeatable.js';
import { verdictOf } from '../shared/verification.js';
import { asJson, shown } from '../shared/work-parts.js';
import { aboutAttempt } from './about-attempt.js';
import { askPerson } from './ask-person.js';
import { type CodingParts, currentOf, goodOf } from './coding-context.js';
import { contextOf, patchOf, type Trouble } from './context.js';
import { healInput } from './heal-input.js';
import { recalled, remembered } from './heal-memory.js';
import { mended, tierFor, withProblem } from './heal-problem.js';
import { type HealInput, healCheckPrompt, healPrompt, redoPrompt } from './heal.prompt.js';
import { judgeAttempt, type JudgedAttempt } from './judge-attempt.js';
import { blockByProblem } from './problem-screen.js';
import { troubleOf } from './problem.js';
import { verifyAttempt } from './proof/verify-focused.js';
import { putBack, stoppedWithoutTrace } from './put-back.js';
import { isOutage, runAgent, simulatedBy, type Unfinished } from './run-agent.js';
import type { TaskStrategies } from './task-strategy.js';
import { whyGivenUp } from './why-given-up.js';
import { doneInAll, readTaskOutput, TaskOutput } from './work-task.js';

export const HEALER = 'healer';
const LONGEST_OUTPUT = 8_000;
const LONGEST_CHECK = 3_000;

interface Begin {
  readonly problem: HealProblem;
  readonly startCommit: string;
  readonly strategies: TaskStrategies;
  /** What a person left at a block: the failures before it do not count against it. */
  readonly kept?: JsonObject;
}

/** One attempt, by the tier that the ladder gives it. It begins where the problem was found. */
export async function attemptToHeal(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { problem, startCommit, strategies, kept = {} }: Begin,
): Promise<Report> {
  const number = problem.attempts.length + 1;
  const tier = tierFor(number);
  const { pattern, hints } = await recalled(parts, activity, problem);
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit },
    {
      step: HEALER,
      role: HEALER,
      purpose: 'heal',
      attempt: number,
      tier,
      prompt: promptFor(activity),
      input: await healInput(parts, activity, worktree, { problem, startCommit, pattern, hints }),
      access: 'write',
      output: { name: 'task', type: TaskOutput },
    },
  );
  // The files are looked at however the agent ended: the tests decide. An outage is no attempt.
  if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
    return stoppedWithoutTrace(parts, activity, worktree, outcome, { startCommit, patch: kept });
  }
  const { commit, isSimulated } = outcome;
  const reply = outcome.kind === 'finished' ? readTaskOutput(outcome.output, outcome.text) : null;
  const said = reply?.summary ?? (outcome.kind === 'failed' ? failureOf(outcome) : '');
  const { result, comparison, flaky, isWhole } = await verifyAttempt(parts, activity, worktree, commit);
  const { diff, never, costUsd, model, isUndone, isRevert } = await aboutAttempt(
    parts,
    activity,
    worktree,
    startCommit,
    commit,
  );
  const judged = await judgeAttempt(
    parts,
    withPatchedContext(activity, { flakyTests: [...flaky], verification: asJson(result) }),
    worktree,
    {
      result,
      comparison,
      startCommit,
      commit,
      isUndone,
      strategies,
      wrongCheck: reply?.wrongCheck ?? null,
      found: isWhole ? (contextOf(activity).verification ?? null) : null,
    },
  );
  if (judged.kind === 'stopped') {
    const patch = { ...kept, ...judged.patch };
    return stoppedWithoutTrace(parts, activity, worktree, judged.outcome, { startCommit, patch });
  }
  const { why } = judged;
  const attempt: HealAttempt = {
    number,
    tier: outcome.tried?.tier ?? tier,
    model,
    usedPattern: pattern !== null,
    outcome: why === null ? 'fixed' : 'failed',
    tried: said.slice(0, 2_000),
    why,
    costUsd,
    diff: '',
    output: '',
    rolledBack: false,
  };
  const about = {
    ...kept,
    ...judged.patch,
    flakyTests: [...flaky],
    [`attempt-${problem.id}-${String(number)}`]: { diff, output: endOf(result) },
  };
  const failures = 'leftByPerson' in kept ? 0 : (contextOf(activity).failures ?? 0);
  const ended: Ended = {
    attempt,
    pattern,
    diff,
    never,
    commit,
    startCommit,
    result,
    isRevert,
    kept: about,
    isSimulated,
    failures,
  };
  return why === null
    ? fixed(parts, activity, worktree, problem, ended)
    : failed(parts, activity, worktree, problem, { ...ended, judged });
}

function promptFor(activity: ActivityContext): Prompt<HealInput> {
  const { trouble, isRolledBack } = contextOf(activity);
  // A proof has nothing to do again: its rollback leaves what all tasks committed.
  if (isRolledBack === true && currentOf(activity)?.kind !== 'proof') return redoPrompt;
  return trouble?.isCheck === true ? healCheckPrompt : healPrompt;
}

type Judged = Extract<JudgedAttempt, { kind: 'judged' }>;

interface Ended {
  readonly attempt: HealAttempt;
  readonly pattern: HealPattern | null;
  readonly diff: string;
  readonly never: string | null;
  readonly commit: string;
  readonly startCommit: string;
  readonly result: VerifyReport;
  readonly kept: JsonObject;
  readonly isSimulated: boolean;
  readonly isRevert: boolean;
  /** In a row, before this one. */
  readonly failures: number;
}

async function fixed(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
  { attempt, diff, never, commit, startCommit, result, kept, isSimulated, isRevert, pattern }: Ended,
): Promise<Report> {
  if (never !== null) {
    // A person who sends it back has not consented to this change.
    await putBack(parts, activity, worktree, { to: startCommit, step: 'take-back' });
    const tried = { ...attempt, outcome: 'failed' as const, why: never };
    const patch = { problems: withProblem(activity, { ...problem, attempts: [...problem.attempts, tried] }), ...kept };
    const message = `Only a person may make the change that fixes "${problem.title}": ${never}. It was taken back.`;
    return askPerson(activity, { cause: 'never-healed', message, output: diff }, patch, { event: 'problem:deferred' });
  }
  if (!isRevert && isPattern(activity, result)) await remembered(parts, activity, problem, { attempt, diff, pattern });
  const patch = {
    ...mended(activity, { ...problem, attempts: [...problem.attempts, attempt] }),
    ...shown(worktree, commit),
    ...kept,
    ...simulatedBy({ isSimulated }),
    verification: asJson(result),
    healed: { commit, summary: doneInAll(activity, attempt.tried) },
  };
  const { number, tier, usedPattern } = attempt;
  return report('problem:fixed', patch, {
    ...verdictOf(result),
    problem: problem.id,
    attempt: number,
    tier,
    usedPattern,
  });
}

/** The files go back to where the attempt began; at the third failure in a row, to the last good tree. */
async function failed(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
  { attempt, diff, startCommit, kept, isSimulated, pattern, judged, failures }: Ended & { readonly judged: Judged },
): Promise<Report> {
  await remembered(parts, activity, problem, { attempt, diff, pattern });
  const { consecutive, rollsBack } = afterFailure(failures);
  const good = goodOf(activity)?.commit ?? worktree.baseCommit;
  const commit = rollsBack ? good : startCommit;
  await repeatable(activity, 'take-back', async (run) => {
    await parts.worktrees.reset(worktree, commit);
    const checkpoint = goodOf(activity)?.checkpoint ?? null;
    if (rollsBack) run.tell('heal.rolled-back', { problem: problem.id, commit, checkpoint });
  });
  const attempts = [...problem.attempts, { ...attempt, rolledBack: rollsBack }];
  const { number, tier, model, why } = attempt;
  const trouble = troubleAtStart(activity, judged);
  const last = judged.comparison.newFailures.length === 0 ? trouble : troubleOf(judged.comparison);
  const givenUp = whyGivenUp(problem.title, number, why, last.output, trouble.isCheck);
  const patch = {
    ...shown(worktree, commit),
    ...kept,
    ...simulatedBy({ isSimulated }),
    problems: withProblem(activity, { ...problem, attempts }),
    failures: consecutive,
    isCutShort: false,
    isRolledBack: rollsBack || contextOf(activity).isRolledBack === true,
    healing: { attempt: number, model, problem: problem.id },
    ...patchOf({ trouble }),
    decision: null,
    // Where this was the last attempt, the next state is BLOCKED, and this is what a person reads there.
    ...patchOf(blockByProblem(withPatchedContext(activity, patchOf({ trouble: last })), givenUp, attempts)),
  };
  const facts = { problem: problem.id, attempt: number, tier, why: (why ?? '').slice(0, 500), rolledBack: rollsBack };
  return report('attempt:failed', patch, facts);
}

/**
 * What fails where the next attempt begins. The files go back there, so a test that this attempt broke is not part of it. A
 * check that it failed is: it holds no more there. Only a new check, or a smaller scope, replaces what was found.
 */
function troubleAtStart(activity: ActivityContext, { comparison, patch }: Judged): Trouble {
  const found = contextOf(activity).trouble;
  const seen = troubleOf(comparison);
  const isRuled = 'checks' in patch || 'requestPlan' in patch;
  if (!found || (isRuled && seen.newFailures.length > 0)) return seen;
  if (seen.isCheck !== true || found.isCheck === true) return found;
  const alsoFails = `${seen.newFailures.join('\n')}\n${seen.output.slice(-LONGEST_CHECK)}`;
  return { ...found, alsoFails, ...(seen.checkFiles !== undefined && { checkFiles: seen.checkFiles }) };
}

/**
 * Whether a fix may be repeated elsewhere. After a rollback the diff is the task done again, not the fix of the error;
 * and a fix that no counted test confirmed proves nothing.
 */
function isPattern(activity: ActivityContext, { counts }: VerifyReport): boolean {
  const { isRolledBack, trouble } = contextOf(activity);
  return counts !== null && isRolledBack !== true && trouble?.isCheck !== true;
}

function endOf({ commands }: VerifyReport): string {
  const all = commands.map(({ command, output }) => `$ ${command}\n${output}`).join('\n');
  return all.slice(-LONGEST_OUTPUT);
}

const failureOf = ({ code, message, said }: Extract<Unfinished, { kind: 'failed' }>): string =>
  `${code}: ${message}\n${said}`;
