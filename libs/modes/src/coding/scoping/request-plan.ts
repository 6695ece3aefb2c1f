import { z } from 'zod';

/** What kind of change a request asks for. It decides what proves the result. */
export const RequestClass = z.enum(['behaviour', 'keeps-behaviour', 'document', 'tests-only']);
export type RequestClass = z.infer<typeof RequestClass>;

/** What a part is about. */
export const PartKind = z.enum(['behaviour', 'document', 'tests']);
export type PartKind = z.infer<typeof PartKind>;

/** One thing that the request asks for. Parts are counted from 1. */
export const RequestPart = z.strictObject({
  title: z.string(),
  /** Exports, flags, routes and texts that a check may rely on. */
  interface: z.string(),
  /** Failing tests of the baseline that pass once the part is done. */
  failingTests: z.array(z.string()),
  /** Absent if nobody said: then it is about behaviour. */
  kind: PartKind.exactOptional(),
});
export type RequestPart = z.infer<typeof RequestPart>;

export const PlanStep = z.strictObject({
  /** The task that carries it out. */
  task: z.string(),
  title: z.string(),
  parts: z.array(z.number()),
  findings: z.array(z.string()),
  /** How one sees that the step is done, in words. */
  check: z.string(),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** What is to be done for the request, fixed before the first change. */
export const RequestPlan = z.strictObject({
  class: RequestClass,
  parts: z.array(RequestPart),
  steps: z.array(PlanStep),
  /** Baseline failures that must pass at the end, each with the reason why. Later this only grows. */
  scope: z.array(
    z.strictObject({
      name: z.string(),
      reason: z.string(),
      /** Whether an independent agent may take it out: the service put it there because of the words of the request. */
      isGuess: z.boolean().exactOptional(),
    }),
  ),
  /** Failures that an independent agent took out of the scope, with the reason. */
  outOfScope: z.array(z.strictObject({ name: z.string(), why: z.string() })).exactOptional(),
  /** Why the planner's answer was not used; null if it was. */
  fallback: z.string().nullable(),
});
export type RequestPlan = z.infer<typeof RequestPlan>;

/** How a check failed on the base. `kept` did not fail: its part says that something stays, and it must still pass. */
export const RedKind = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('assertion') }),
  z.strictObject({ kind: z.literal('absent'), missing: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('kept') }),
]);
export type RedKind = z.infer<typeof RedKind>;

/** A check of one part, written from the request by an agent that does not implement it. */
export const Check = z.strictObject({
  /** As in `C-001`. */
  id: z.string(),
  part: z.number(),
  title: z.string(),
  command: z.string(),
  /** Files that the command needs; they are in no commit. */
  files: z.array(z.strictObject({ path: z.string(), content: z.string() })),
  red: RedKind,
  /** Whether a test runner counted its tests on the base. Absent in checks of an older release. */
  hasTests: z.boolean().exactOptional(),
  /** Whether its author adapted it to names that the change introduced. Allowed once. */
  isAdapted: z.boolean(),
  /** Why it no longer counts: a third agent ruled that it is wrong. */
  dropped: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

/** The parts that are complete once this task is done: no later step works on them. */
export function partsCompletedBy(plan: RequestPlan, task: string): readonly number[] {
  const numbers = plan.parts.map((_, index) => index + 1);
  return numbers.filter((part) => lastStepOf(plan, part)?.task === task);
}

/** Failures in scope that must pass once this task is done. */
export function failuresSettledBy(plan: RequestPlan, task: string): readonly string[] {
  const parts = new Set(partsCompletedBy(plan, task));
  const isLast = plan.steps.at(-1)?.task === task;
  return plan.scope
    .map(({ name }) => name)
    .filter((name) => {
      const part = plan.parts.findIndex(({ failingTests }) => failingTests.includes(name)) + 1;
      return part === 0 ? isLast : parts.has(part);
    });
}

/** A part that no step names belongs to the last one. */
const lastStepOf = ({ steps }: RequestPlan, part: number): PlanStep | undefined =>
  steps.findLast(({ parts }) => parts.includes(part)) ?? steps.at(-1);
