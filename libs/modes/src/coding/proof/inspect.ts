import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Tier } from '#models';
import { isOpenDemand } from '#proof';
import type { Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, findingsOf, LIMITS } from '../coding-context.js';
import { contextOf } from '../context.js';
import { settledNotes } from '../notes.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { describeFinding } from '../scoping/plan.prompt.js';
import { shortenDiff } from '../shorten-patch.js';
import { InspectionOutput, inspectPrompt } from './inspect.prompt.js';
import type { Inspection } from './proof-record.js';

export const INSPECTOR = 'inspector';

export interface InspectionWish {
  readonly from: string;
  readonly commit: string;
  /** Numbers of parts. */
  readonly parts: readonly number[];
  /** What stands in the place of a part's title, by its number. */
  readonly titles?: Readonly<Record<number, string>>;
  /** Ids of findings. */
  readonly findings: readonly string[];
  /** Existing tests that were removed, skipped or changed. */
  readonly tests: readonly string[];
  /** Whether demands are listed too that no part names. The change must be meant to be complete. */
  readonly asksForDemands?: boolean;
  /** Values that stand in the change and in its tests. */
  readonly values?: readonly string[];
  /** Lines and files for which checks and tests are too little. */
  readonly reasons?: readonly string[];
  readonly step: string;
  readonly tier?: Tier;
}

export type Inspected =
  /** Null if nothing was to inspect, or the agent came to no answer. */
  | { readonly kind: 'done'; readonly inspection: Inspection | null; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

const LONGEST_DIFF = 60_000;

/**
 * An agent that made none of the changes reads the diff against the request. A larger one reads what it left out: parts
 * and findings, or everything if it gave no valid answer.
 */
export async function inspect(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: InspectionWish,
): Promise<Inspected> {
  const first = await inspectOnce(parts, activity, worktree, wish);
  if (first.kind === 'stopped') return first;
  const { inspection } = first;
  if (inspection === null && first.patch['simulated'] === true) return first;
  const left = {
    parts: wish.parts.filter((number) => inspection?.parts.some(({ part }) => part === number) !== true),
    findings: wish.findings.filter((id) => inspection?.findings.some((one) => one.id === id) !== true),
    tests: inspection === null ? wish.tests : [],
    asksForDemands: inspection === null && wish.asksForDemands === true,
  };
  const rest = { ...wish, ...left, step: `${wish.step}/again`, tier: 'large' } as const;
  const second = await inspectOnce(parts, activity, worktree, rest);
  if (second.kind === 'stopped') return second;
  const patch = { ...first.patch, ...second.patch };
  if (inspection === null || second.inspection === null) {
    return { kind: 'done', inspection: inspection ?? second.inspection, patch };
  }
  const added = {
    parts: second.inspection.parts.filter(({ part }) => left.parts.includes(part)),
    findings: second.inspection.findings.filter(({ id }) => left.findings.includes(id)),
  };
  const whole = {
    ...inspection,
    parts: [...inspection.parts, ...added.parts],
    findings: [...inspection.findings, ...added.findings],
  };
  return { kind: 'done', inspection: whole, patch };
}

async function inspectOnce(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  {
    from,
    commit,
    parts: numbers,
    titles = {},
    findings,
    tests,
    asksForDemands = false,
    values = [],
    reasons = [],
    step,
    tier = 'medium',
  }: InspectionWish,
): Promise<Inspected> {
  if (numbers.length + findings.length + tests.length === 0) return { kind: 'done', inspection: null, patch: {} };
  const diff = await repeatable(activity, `${step}/diff`, async () =>
    shortenDiff(await parts.worktrees.diff(worktree, from, commit), LONGEST_DIFF),
  );
  const plan = contextOf(activity).requestPlan;
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step,
      role: INSPECTOR,
      purpose: 'inspect',
      attempt: 1,
      tier,
      prompt: inspectPrompt,
      input: {
        request: activity.project.request,
        settled: settledNotes(activity),
        parts: numbers.map((number) => ({
          number,
          title: titles[number] ?? plan?.parts[number - 1]?.title ?? activity.project.request.slice(0, 500),
        })),
        findings: findingsOf(activity)
          .filter(({ id }) => findings.includes(id))
          .map(describeFinding),
        tests,
        asksForDemands,
        values,
        reasons,
        diff,
      },
      access: 'read',
      output: { name: 'inspection', type: InspectionOutput },
      limits: LIMITS.plan,
    },
  );
  const stop = stopOf(outcome);
  if (stop) return { kind: 'stopped', outcome: stop, patch: {} };
  const patch = simulatedBy(outcome);
  const read = InspectionOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  if (!read.success) return { kind: 'done', inspection: null, patch };
  const demands = asksForDemands ? openDemands(activity, read.data) : [];
  const inspection: Inspection = { commit, ...boundTexts(read.data), ...(demands.length > 0 && { demands }) };
  await repeatable(activity, `${step}/told`, async (run) => {
    run.tell('result.inspected', {
      parts: inspection.parts.map(({ part, isDone }) => `${String(part)} ${isDone ? 'done' : 'not done'}`),
      findings: inspection.findings.map(({ id, isFixed }) => `${id} ${isFixed ? 'fixed' : 'not fixed'}`),
      tests: inspection.tests.map(
        ({ test, quote }) => `${test.slice(0, 100)}: ${quote === null ? 'kept' : 'contradicted'}`,
      ),
      ...(demands.length > 0 && { demands: demands.map(({ quote }) => quote.slice(0, 100)) }),
    });
  });
  return { kind: 'done', inspection, patch };
}

const LONGEST_WHY = 1_000;
const LONGEST_QUOTE = 500;
const MOST_DEMANDS = 5;

/** The service believes no demand that does not stand in the request, or that a part names. */
function openDemands(
  activity: ActivityContext,
  { demands = [] }: InspectionOutput,
): NonNullable<Inspection['demands']> {
  const { request } = activity.project;
  const parts = contextOf(activity).requestPlan?.parts ?? [];
  const open = demands.filter(({ quote }) => quote.length <= LONGEST_QUOTE && isOpenDemand(quote, request, parts));
  return [...new Map(open.map(({ quote, why }) => [quote, { quote, why: why.slice(0, LONGEST_WHY) }])).values()].slice(
    0,
    MOST_DEMANDS,
  );
}

const boundTexts = ({ parts, findings, tests }: InspectionOutput): Omit<Inspection, 'commit' | 'demands'> => ({
  parts: parts.map((one) => ({ ...one, why: one.why.slice(0, LONGEST_WHY) })),
  findings: findings.map((one) => ({ ...one, why: one.why.slice(0, LONGEST_WHY) })),
  tests: tests.map((one) => ({ ...one, why: one.why.slice(0, LONGEST_WHY) })),
});
