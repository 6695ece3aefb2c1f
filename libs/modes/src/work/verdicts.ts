import type { JsonObject } from '#kernel';
import type { CheckOutcome } from '../coding/proof/check-outcome.js';
import { asJson } from '../shared/work-parts.js';
import type { Changes } from './changes.js';
import type { StepEvidence, WorkStep } from './work-context.js';

/** The check of a step holds; what showed it is kept with the step's result. */
export const held = (
  step: WorkStep,
  { there: files, deleted }: Changes,
  evidence: StepEvidence,
  patch: JsonObject,
): CheckOutcome => ({
  kind: 'held',
  patch: { ...patch, checked: asJson({ task: step.task, files, deleted, evidence }) },
});

/** It does not; what is shown is for whoever mends it. */
export const failed = (
  { task, check }: WorkStep,
  why: string,
  shown: { readonly command: string; readonly output: string } | null = null,
  patch: JsonObject = {},
): CheckOutcome => {
  const worst = shown ?? { command: `the check of ${task}`, output: why };
  const said = `The check of ${task} does not hold (${check.slice(0, 300)}): ${why}`.slice(0, 1_000);
  const comparison = { isNoWorse: false, newFailures: [said], oldFailures: [], worst, isCheck: true } as const;
  return { kind: 'failed', comparison, patch };
};
