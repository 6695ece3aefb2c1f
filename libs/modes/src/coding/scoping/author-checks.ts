import type { AgentOutcome } from '#agents';
import type { ActivityContext } from '#engine';
import type { Tier } from '#models';
import type { Worktree } from '#workspace';
import { describeVerification } from '../../shared/failing-tests.js';
import { baselineOf, commitOf } from '../../shared/work-parts.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf, type ContextPatch } from '../context.js';
import { settledNotes } from '../notes.js';
import { putBack, withoutTrace } from '../put-back.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { ChecksOutput, checksPrompt } from './checks.prompt.js';
import { keptChecks, specialKindOf, withDerivedKinds } from './kinds-of-parts.js';
import type { Check, RequestPlan } from './request-plan.js';
import { hidingChecks, numberChecks, type TakenChecks, takeChecks } from './take-checks.js';

export const CHECK_AUTHOR = 'check-author';

/** The second author is of a larger tier, and knows why the first one's checks were refused. */
const TIERS: readonly Tier[] = ['medium', 'large'];

export type Authored =
  { readonly kind: 'done'; readonly patch: ContextPatch } | { readonly kind: 'stopped'; readonly outcome: Unfinished };

/**
 * Parts of a request that no failing test of the baseline covers. A flaky test covers nothing. Only a change of
 * behaviour needs checks, and none of its parts about documents or tests.
 */
export function partsWithoutCheck(
  { class: kind, parts }: RequestPlan,
  checks: readonly Check[] = [],
  flaky: readonly string[] = [],
): readonly number[] {
  if (kind !== 'behaviour') return [];
  return parts.flatMap((part, index) => {
    if (specialKindOf(part) !== null) return [];
    const hasTest = part.failingTests.some((name) => !flaky.includes(name));
    const hasCheck = checks.some((check) => check.part === index + 1 && check.dropped === null);
    return hasTest || hasCheck ? [] : [index + 1];
  });
}

/** Checks that an agent writes from the request, before the first change. Each must fail on the base. */
export async function authorChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  plan: RequestPlan,
  startCommit = commitOf(activity) ?? worktree.baseCommit,
): Promise<Authored> {
  const { checks: known = [], flakyTests } = contextOf(activity);
  const checks: Check[] = [...known];
  const green: TakenChecks['green'][number][] = [];
  let planned = plan;
  let refusal = '';
  let simulated = {};
  for (const [index, tier] of TIERS.entries()) {
    const needed = partsWithoutCheck(planned, checks, flakyTests);
    if (needed.length === 0) break;
    const step = `${CHECK_AUTHOR}-${String(index + 1)}`;
    const outcome = await askAuthor(parts, activity, worktree, {
      plan: planned,
      needed,
      tier,
      refusal,
      step,
      startCommit,
    });
    const stop = stopOf(outcome);
    if (stop) {
      const left = { to: startCommit, step: `${step}/put-back` };
      return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
    }
    simulated = { ...simulated, ...simulatedBy(outcome) };
    const written = await takeChecks(parts, activity, worktree, { outcome, needed, step, startCommit });
    checks.push(...numberChecks(written.taken, checks.length));
    green.push(...written.green);
    planned = withDerivedKinds(planned, written.untold);
    refusal = written.refusal;
  }
  const open = partsWithoutCheck(planned, checks, flakyTests);
  checks.push(...numberChecks(keptChecks(planned, open, green), checks.length));
  return { kind: 'done', patch: { checks, ...(planned !== plan && { requestPlan: planned }), ...simulated } };
}

/** The same for a project that has changed something already. The author sees the base only. */
export async function authorChecksOnBase(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { plan, commit }: { readonly plan: RequestPlan; readonly commit: string },
): Promise<Authored> {
  const { checks, flakyTests } = contextOf(activity);
  if (partsWithoutCheck(plan, checks, flakyTests).length === 0) return { kind: 'done', patch: {} };
  await putBack(parts, activity, worktree, { to: worktree.baseCommit, step: 'show-base/late-checks' });
  const authored = await authorChecks(parts, activity, worktree, plan, worktree.baseCommit);
  const left = { to: commit, step: 'put-back/late-checks' };
  if (authored.kind === 'stopped') {
    return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, authored.outcome, left) };
  }
  await putBack(parts, activity, worktree, left);
  return authored;
}

/** A check that was ruled wrong, written again by its author on the result. Null if no usable check came of it. */
export async function rewriteCheck(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  {
    plan,
    check,
    commit,
    why,
  }: { readonly plan: RequestPlan; readonly check: Check; readonly commit: string; readonly why: string },
): Promise<
  | { readonly kind: 'done'; readonly check: Omit<Check, 'id'> | null }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished }
> {
  const step = `${CHECK_AUTHOR}/${check.id}`;
  const sources = check.files.map(({ path, content }) => `--- ${path}\n${content}`).join('\n');
  const refusal = [
    `Another agent ruled that your check is wrong: ${why}`,
    'The change exists now, in this checkout. Adapt the check to the names that the change introduced, not to its behaviour.',
    'The check must still fail without the change.',
    `Your check: ${check.title}\n$ ${check.command}\n${sources}`,
  ].join('\n\n');
  const wish = { plan, needed: [check.part], tier: 'large', refusal, step, startCommit: commit } as const;
  const outcome = await askAuthor(parts, activity, worktree, wish);
  const stop = stopOf(outcome);
  if (stop) {
    const left = { to: commit, step: `${step}/put-back` };
    return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
  }
  const { taken } = await takeChecks(parts, activity, worktree, {
    outcome,
    needed: [check.part],
    step,
    startCommit: commit,
  });
  return { kind: 'done', check: taken[0] ?? null };
}

interface Asked {
  readonly plan: RequestPlan;
  readonly needed: readonly number[];
  readonly tier: Tier;
  readonly refusal: string;
  readonly step: string;
  readonly startCommit: string;
}

function askAuthor(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { plan, needed, tier, refusal, step, startCommit }: Asked,
): Promise<AgentOutcome> {
  const baseline = baselineOf(activity);
  return runAgent(
    parts,
    activity,
    { worktree: hidingChecks(worktree), startCommit },
    {
      step,
      role: CHECK_AUTHOR,
      purpose: 'write-checks',
      attempt: 1,
      tier,
      prompt: checksPrompt,
      input: {
        request: activity.project.request,
        settled: settledNotes(activity),
        parts: needed.flatMap((number) => {
          const part = plan.parts[number - 1];
          return part ? [{ number, part }] : [];
        }),
        verify: baseline ? describeVerification(baseline) : '',
        map: contextOf(activity).repositoryMap ?? '',
        refusal,
      },
      access: 'write',
      output: { name: 'checks', type: ChecksOutput },
      limits: LIMITS.test,
    },
  );
}
