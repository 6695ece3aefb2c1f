import type { AgentOutcome, AgentTask } from '#agents';
import { type Activity, type ActivityContext, type Report, report, waitFor } from '#engine';
import { assertNever, type JsonObject, UserError } from '#kernel';
import { errandPrompt, inputOf, ROLE } from './prompt.js';
import { blocked, blockedBySetup, overBudget } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { runPersistently } from '../shared/run-persistently.js';
import { commitOf, orderOf, shown, type WorkParts } from '../shared/work-parts.js';

const MAX_OUTPUT_TOKENS = 16_000;

/**
 * The agent at its work. Each visit is a new attempt, and a new conversation that knows what went wrong before. One that
 * runs out of its limits is continued by fresh conversations before a person is asked.
 */
export const work =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { workshop, worktrees, runtimes } = parts;
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const runtime = runtimes.get(orderOf(activity).runtime);
    if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${orderOf(activity).runtime}`);
    const startCommit = commitOf(activity) ?? (await worktrees.head(worktree));
    const sandbox = workshop.sandbox(orderOf(activity));
    const scene = { activity, worktree, startCommit, sandbox };
    const outcome = await runPersistently(parts, runtime, taskOf(activity), scene);
    return reported(outcome, activity, (commit) => shown(worktree, commit));
  };

function taskOf(activity: ActivityContext): AgentTask {
  const { tier, models, turns, minutes } = orderOf(activity);
  return {
    step: ROLE,
    role: ROLE,
    purpose: 'errand',
    attempt: attemptOf(activity),
    tier,
    ...(models && { models }),
    promptVersion: errandPrompt.version,
    system: errandPrompt.system,
    prompt: errandPrompt.render(inputOf(activity)),
    access: 'write',
    mayRun: true,
    limits: { turns, wallMs: minutes * 60_000, maxOutputTokens: MAX_OUTPUT_TOKENS },
  };
}

const attemptOf = ({ context }: ActivityContext): number => ((context['attempt'] as number | undefined) ?? 0) + 1;

function reported(
  outcome: AgentOutcome,
  activity: ActivityContext,
  seen: (commit: string) => ReturnType<typeof shown>,
): Report {
  /** What the attempt leaves to whatever comes next, however it ended. */
  const left = (ended: { readonly commit: string; readonly isSimulated: boolean }): JsonObject => ({
    ...seen(ended.commit),
    ...simulated(ended),
    attempt: attemptOf(activity),
  });
  switch (outcome.kind) {
    case 'waits':
      return waitFor(outcome.ms, outcome.reason, outcome.words);
    case 'over-budget':
      return blocked({ cause: 'budget', message: overBudget(outcome.breaker) }, { ...left(outcome), isCutShort: true });
    case 'failed':
      return blocked(
        { cause: 'agent', message: outcome.message, code: outcome.code },
        { ...left(outcome), isCutShort: true },
      );
    case 'finished': {
      const { text, turns } = outcome;
      const patch = { ...left(outcome), said: text, block: null, isCutShort: false };
      return report('work:done', patch, { turns, ...simulated(outcome) });
    }
    default:
      return assertNever(outcome);
  }
}

const simulated = ({ isSimulated }: { readonly isSimulated: boolean }): { simulated?: true } =>
  isSimulated ? { simulated: true } : {};
