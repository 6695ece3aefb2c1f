import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, findingsOf } from './coding-context.js';
import { deferRest } from './defer-task.js';
import { isOutage, type Unfinished } from './run-agent.js';

type Known = Pick<ActivityContext, 'context'>;

/** A finding that is not about the request is fixed if that is easy. It never asks a person and is never healed. */
export const isAside = (scene: Known, { kind, finding }: Pick<ProjectTask, 'kind' | 'finding'>): boolean =>
  kind === 'finding' && findingsOf(scene).some(({ id, relation }) => id === finding && relation === 'aside');

/** Of a cap. What is left is for the proof of the request. */
const MOST_USED = 0.8;

/** Why no aside begins any more; null if one can. */
export async function whyNotBegun(
  { budgets }: Pick<CodingParts, 'budgets'>,
  activity: Pick<ActivityContext, 'effect' | 'project'>,
): Promise<string | null> {
  const used = await repeatable(activity, 'budget-used', () => budgets.usedShare(activity.project.id));
  const percent = String(Math.floor(used * 100));
  return used < MOST_USED ? null : `${percent} % of the budget is used. The rest is kept for the proof of the request.`;
}

/** Why an aside is dropped after its agent stopped, and whether those after it would meet the same. */
export function whyDropped(outcome: Exclude<Unfinished, { kind: 'waits' }>): {
  readonly reason: string;
  readonly concernsAll: boolean;
} {
  if (outcome.kind === 'over-budget') return { reason: 'The budget does not allow it.', concernsAll: true };
  if (isOutage(outcome)) return { reason: `No model answered: ${outcome.message}`, concernsAll: true };
  return { reason: `The agent failed: ${outcome.message}`, concernsAll: false };
}

/** Leaves the asides that wait to people. */
export const deferAsides = (context: JsonObject, reason: string): JsonObject =>
  deferRest(context, reason, 'aside', (task) => isAside({ context }, task));
