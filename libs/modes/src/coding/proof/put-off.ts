import type { ProjectTask } from '#contracts';
import type { ProofFacts } from '#proof';
import { failuresSettledBy, partsCompletedBy, type RequestPlan } from '../scoping/request-plan.js';

export interface PutOff {
  /** Numbers of parts. */
  readonly parts: readonly number[];
  /** Failures in scope that only these parts settle. */
  readonly failures: readonly string[];
  /** Titles of the steps. */
  readonly steps: readonly string[];
}

/** What a person put off: steps that are deferred, and the parts that need them. */
export function findPutOff(plan: RequestPlan, tasks: readonly ProjectTask[]): PutOff {
  const deferred = new Set(tasks.filter(({ status }) => status === 'deferred').map(({ id }) => id));
  const steps = plan.steps.filter(({ task }) => deferred.has(task));
  const parts = steps.flatMap((step) => [...step.parts, ...partsCompletedBy(plan, step.task)]);
  return {
    parts: [...new Set(parts)],
    failures: steps.flatMap(({ task }) => failuresSettledBy(plan, task)),
    steps: steps.map(({ title }) => title),
  };
}

/** The facts without what a person put off. It is neither proven nor healed. */
export const withoutPutOff = (facts: ProofFacts, { parts, failures }: PutOff): ProofFacts => ({
  ...facts,
  ...(parts.length > 0 && { hasPutOff: true }),
  parts: facts.parts.filter((_, index) => !parts.includes(index + 1)),
  scope: facts.scope.filter(({ name }) => !failures.includes(name)),
});
