import type { VerifyReport } from '#workspace';
import { eventOf, fakeParts, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { failingRun, planWith } from './proof.fixture.js';
import { proveResult } from './prove-result.js';

export type World = NonNullable<Parameters<typeof fakeParts>[0]> & {
  readonly context: object;
  readonly baseline?: VerifyReport;
};

/** Judges a result whose one task is committed. */
export async function prove({ context, baseline = failingRun(), ...world }: World) {
  const parts = fakeParts({ changed: ['src/theme.mjs'], ...world });
  const tasks = [taskOf('T-001', { status: 'completed', commit: 'done' })];
  const known = { commit: 'done', verifiedAt: 'done', verification: failingRun(), tasks, requestPlan: planWith() };
  const visit = new Visit({ baseline, ...known, ...context });
  const plan = contextOf(visit.activity).requestPlan ?? planWith();
  const { type, patch } = eventOf(await proveResult(parts.parts, visit.activity, WORKTREE, { plan, baseline }));
  return { ...parts, type, steps: visit.steps, known: contextOf({ context: patch }) };
}
