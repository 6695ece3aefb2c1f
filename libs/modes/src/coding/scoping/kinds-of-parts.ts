import { kindByTitle, saysThatSomethingStays, speaksOf, type SpecialKind } from '#proof';
import type { PlannerOutput } from './plan.prompt.js';
import type { Check, PartKind, RequestPart, RequestPlan } from './request-plan.js';

/** What a part is about if no check is written for it; null if it is about behaviour. */
export const specialKindOf = ({ kind = 'behaviour' }: Pick<RequestPart, 'kind'>): SpecialKind | null =>
  kind === 'behaviour' ? null : kind;

/** The kind of a part by the word of the planner. The part must speak of a document or of tests itself. */
export function acceptedKind(said: PartKind | undefined, part: RequestPart): { readonly kind?: PartKind } {
  if (said === undefined) return {};
  return { kind: said === 'behaviour' || speaksOf(said, part) ? said : 'behaviour' };
}

/**
 * Parts whose kinds count. A request that is only about documents or tests has a class of its own, and if its diff leaves
 * that class, checks have to prove it. So one part at least must be about behaviour.
 */
export function withUsableKinds(
  requestClass: PlannerOutput['class'],
  parts: readonly RequestPart[],
): readonly RequestPart[] {
  const isMixed = requestClass === 'behaviour' && parts.some((part) => specialKindOf(part) === null);
  return isMixed ? parts : parts.map(withoutKind);
}

const withoutKind = ({ title, interface: seen, failingTests }: RequestPart): RequestPart => ({
  ...{ title, interface: seen, failingTests },
});

/**
 * The plan with the kinds of parts for which a check author says that no command can tell. Their titles decide, also
 * against a planner that calls them behaviour.
 */
export function withDerivedKinds(plan: RequestPlan, untold: readonly number[]): RequestPlan {
  const parts = plan.parts.map((part, index): RequestPart => {
    if (!untold.includes(index + 1) || specialKindOf(part) !== null || part.failingTests.length > 0) return part;
    const kind = kindByTitle(part.title);
    return kind === null ? part : { ...part, kind };
  });
  const isChanged = parts.some((part, index) => part !== plan.parts[index]);
  return isChanged && parts.some((part) => specialKindOf(part) === null) ? { ...plan, parts } : plan;
}

/**
 * Checks that pass on the base, for parts that still have none and say that something stays. They must pass on the result
 * too. A request cannot consist of such a part: nothing would have to change.
 */
export function keptChecks(
  { parts }: RequestPlan,
  open: readonly number[],
  green: readonly Omit<Check, 'id' | 'red'>[],
): readonly Omit<Check, 'id'>[] {
  if (parts.length < 2) return [];
  return open.flatMap((number) => {
    const part = parts[number - 1];
    const check = green.findLast((one) => one.part === number);
    return part && check && saysThatSomethingStays(part) ? [{ ...check, red: { kind: 'kept' as const } }] : [];
  });
}
