import type { Finding } from '#contracts';
import type { ActivityContext } from '#engine';
import { findingsOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import type { Inspection } from './proof-record.js';

/**
 * Findings that the steps of the request claim to have fixed. No other agent has looked at these fixes. A finding that an
 * agent has called not fixed since is looked at again. Those of the lowest urgency are read if a reader is asked anyway.
 */
export function findingsFixedBySteps(
  activity: ActivityContext,
  { steps }: RequestPlan,
  { isRead }: { readonly isRead: boolean },
): readonly string[] {
  const covered = new Set(steps.flatMap(({ findings }) => findings));
  const claimed = findingsOf(activity).filter(({ id, relation, outcome: { kind } }) =>
    covered.has(id) ? kind === 'fixed' || kind === 'deferred' : kind === 'fixed' && relation === 'is-request',
  );
  const hasReader = isRead || claimed.some(isUrgent);
  return claimed.filter((finding) => hasReader || isUrgent(finding)).map(({ id }) => id);
}

const isUrgent = ({ priority }: Finding): boolean => priority !== 'P2';

/** Fixes that no other agent has read, after an inspection of some of them. */
export function unreadFixes(
  { context }: Pick<ActivityContext, 'context'>,
  inspected: readonly string[],
  inspection: Inspection | null,
): string[] {
  const others = (contextOf({ context }).unreviewedFixes ?? []).filter((id) => !inspected.includes(id));
  const unread = inspected.filter((id) => inspection?.findings.some((one) => one.id === id) !== true);
  return [...others, ...unread];
}

/** The findings as an independent agent saw them in the result. */
export const settledBy = (findings: readonly Finding[], inspection: Inspection | null, commit: string): Finding[] =>
  findings.map((finding) => {
    const look = inspection?.findings.find(({ id }) => id === finding.id);
    if (!look || look.isFixed === (finding.outcome.kind === 'fixed')) return finding;
    const outcome = look.isFixed
      ? ({ kind: 'fixed', commit, reason: null } as const)
      : ({
          kind: 'deferred',
          commit: null,
          reason: `An independent agent says that it is not fixed: ${look.why}`,
        } as const);
    return { ...finding, outcome };
  });
