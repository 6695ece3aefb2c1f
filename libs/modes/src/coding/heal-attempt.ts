import type { HealAttempt, HealPattern, HealProblem } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { afterFailure } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { judgedAgainst } from '../shared/judged-against.js';
import { repeatable } from '../shared/repeatable.js';
import { tamperingOfAttempt, verdictOf, verified } from '../shared/verification.js';
import { asJson, baselineOf, shown } from '../shared/work-parts.js';
import { askPerson } from './ask-person.js';
import { type CodingParts, currentOf, goodOf } from './coding-context.js';
import { checkedAs } from './heal-check.js';
import { recalled, remembered } from './heal-memory.js';
import { mended, tierFor, withProblem } from './heal-problem.js';
import { healCheckPrompt, healPrompt } from './heal.prompt.js';
import type { Manners } from './manner.js';
import { neverIn } from './never-between.js';
import { saidAtBlock } from './notes.js';
import { troubleOf } from './problem.js';
import { putBack, stoppedWithoutTrace } from './put-back.js';
import { isOutage, runAgent, simulatedBy, type Unfinished } from './run-agent.js';
import { doneInAll, readTaskOutput, TaskOutput } from './work-task.js';
import { whyGivenUp } from './why-given-up.js';
import { whyNoFix } from './why-no-fix.js';

export const HEALER = 'healer';
const LONGEST_DIFF = 20_000;
const LONGEST_OUTPUT = 8_000;

interface Begin {
  readonly problem: HealProblem;
  readonly startCommit: string;
  readonly manners: Manners | null;
  /** What a person left at a block: the failures before it do not count against it. */
  readonly kept?: JsonObject;
}

/** One attempt, with the model that the ladder gives it. It begins where the problem was found, whatever others tried. */
export async function attemptToHeal(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { problem, startCommit, manners, kept = {} }: Begin,
): Promise<Report> {
  const number = problem.attempts.length + 1;
  const tier = tierFor(number);
  const { pattern, hints } = await recalled(parts, activity, problem);
  const outcome = await runAgent(parts, activity, { worktree, startCommit }, {
    step: HEALER,
    role: HEALER,
    purpose: 'heal',
    attempt: number,
    tier,
    prompt: isCheck(activity) ? healCheckPrompt : healPrompt,
    input: inputOf(activity, problem, pattern, hints),
    access: 'write',
    output: { name: 'task', type: TaskOutput },
  }); // prettier-ignore
  // What an agent left is looked at however it ended: what counts is whether the tests pass. An outage is no attempt.
  if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
    return stoppedWithoutTrace(parts, activity, worktree, outcome, { startCommit, patch: kept });
  }
  const { commit, isSimulated } = outcome;
  const said = outcome.kind === 'finished' ? readTaskOutput(outcome.output, outcome.text).summary : failureOf(outcome);
  const result = await verified(parts, activity, worktree, { commit });
  const tampering = await tamperingOfAttempt(parts, activity, worktree, { from: startCommit, to: commit });
  const { diff, never, costUsd, model } = await aboutIt(parts, activity, worktree, startCommit, commit);
  const comparison = judgedAgainst(baselineOf(activity), result);
  const noFix = whyNoFix({
    comparison,
    result,
    tampering,
    baseline: baselineOf(activity),
    found: (activity.context['verification'] as unknown as VerifyReport | null | undefined) ?? null,
    hasChanged: commit !== startCommit,
    isRolledBack: activity.context['isRolledBack'] === true,
  });
  const checked = noFix === null ? await checkedAs(manners, activity, worktree, commit) : null;
  if (checked?.kind === 'stopped') {
    const patch = { ...kept, ...checked.patch };
    return stoppedWithoutTrace(parts, activity, worktree, checked.outcome, { startCommit, patch });
  }
  const isUnfit = checked?.kind === 'failed';
  const why = isUnfit ? checked.comparison.newFailures.join('; ') : noFix;
  const attempt: HealAttempt = {
    number, tier, model, usedPattern: pattern !== null, outcome: why === null ? 'fixed' : 'failed',
    tried: said.slice(0, 2_000), why, costUsd, diff: '', output: '', rolledBack: false,
  }; // prettier-ignore
  const about = {
    ...kept,
    ...checked?.patch,
    [`attempt-${problem.id}-${String(number)}`]: { diff, output: endOf(result) },
  };
  const failures = 'leftByPerson' in kept ? 0 : ((activity.context['failures'] as number | undefined) ?? 0);
  const ended: Ended = {
    attempt,
    pattern,
    diff,
    never,
    commit,
    startCommit,
    result,
    kept: about,
    isSimulated,
    failures,
  };
  return why === null
    ? fixed(parts, activity, worktree, problem, ended)
    : failed(parts, activity, worktree, problem, {
        ...ended,
        trouble: troubleOf(isUnfit ? checked.comparison : comparison),
      });
}

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
  /** In a row, before this one. */
  readonly failures: number;
}

async function fixed(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  problem: HealProblem,
  { attempt, diff, never, commit, startCommit, result, kept, isSimulated, pattern }: Ended,
): Promise<Report> {
  if (never !== null) {
    // A person who sends it back has not consented to this change.
    await putBack(parts, activity, worktree, { to: startCommit, step: 'take-back' });
    const tried = { ...attempt, outcome: 'failed' as const, why: never };
    const patch = { problems: withProblem(activity, { ...problem, attempts: [...problem.attempts, tried] }), ...kept };
    return askPerson({ cause: 'never-healed', message: never, output: diff }, patch, 'problem:deferred');
  }
  // A fix that no test has borne out is kept, and nobody is told to repeat it.
  if (result.counts !== null) await remembered(parts, activity, problem, { attempt, diff, pattern });
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
  {
    attempt,
    diff,
    startCommit,
    kept,
    isSimulated,
    pattern,
    trouble,
    failures,
  }: Ended & { readonly trouble: JsonObject },
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
  const output = String((trouble as { output?: string }).output ?? '');
  const givenUp = whyGivenUp(problem.title, number, why, output);
  const patch = {
    ...shown(worktree, commit),
    ...kept,
    ...simulatedBy({ isSimulated }),
    problems: withProblem(activity, { ...problem, attempts }),
    failures: consecutive,
    isCutShort: false,
    isRolledBack: rollsBack || activity.context['isRolledBack'] === true,
    healing: { attempt: number, model, problem: problem.id },
    trouble,
    decision: null,
    // Where this was the last attempt, the next state is BLOCKED, and this is what a person reads there.
    block: { cause: 'problem', message: givenUp.message },
    why: givenUp.why,
  };
  const facts = { problem: problem.id, attempt: number, tier, why: (why ?? '').slice(0, 500), rolledBack: rollsBack };
  return report('attempt:failed', patch, facts);
}

/** What fails is the check of a step, and no verify command. */
const isCheck = ({ context }: ActivityContext): boolean =>
  (context['trouble'] as { isCheck?: boolean } | null | undefined)?.isCheck === true;

function inputOf(activity: ActivityContext, problem: HealProblem, pattern: HealPattern | null, hints: string) {
  const trouble = activity.context['trouble'] as
    { command?: string; output?: string; newFailures?: readonly string[] } | null | undefined;
  const task = currentOf(activity);
  return {
    task: task ? `${task.title}\n\n${task.detail}` : activity.project.request,
    said: saidAtBlock(activity),
    command: trouble?.command ?? problem.command,
    output: trouble?.output ?? problem.error,
    newFailures: trouble?.newFailures ?? [],
    attempts: problem.attempts,
    pattern,
    hints,
    isRolledBack: activity.context['isRolledBack'] === true,
  };
}

interface About {
  readonly diff: string;
  /** Why nobody but a person may make this change. */
  readonly never: string | null;
  readonly costUsd: string | null;
  readonly model: string | null;
}

async function aboutIt(
  { worktrees, history }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  from: string,
  to: string,
): Promise<About> {
  return repeatable(activity, 'about', async () => {
    const { patch, isCut } = await worktrees.diff(worktree, from, to);
    const spent = await history.spentIn(activity.project.id, activity);
    const never = neverIn(patch, isCut);
    return { diff: patch.slice(0, LONGEST_DIFF), never, ...spent };
  });
}

const endOf = ({ commands }: VerifyReport): string =>
  commands.map(({ command, output }) => `$ ${command}\n${output}`).join('\n').slice(-LONGEST_OUTPUT); // prettier-ignore

const failureOf = ({ code, message, said }: Extract<Unfinished, { kind: 'failed' }>): string =>
  `${code}: ${message}\n${said}`;
