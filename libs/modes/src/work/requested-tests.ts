import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { speaksOfFailures } from '#proof';
import { tasksOf } from '../coding/coding-context.js';
import { contextOf } from '../coding/context.js';
import type { CheckOutcome } from '../coding/proof/check-outcome.js';
import { describeFailing } from '../coding/proof/check-task.js';
import { failingTests } from '../shared/failing-tests.js';

/**
 * If the request asks to fix failing tests, they have to pass after the last step: the checks of the steps may look at
 * something else. Null if they do, if the request asks for nothing of this kind, or if another step follows.
 */
export function findFailingRequest(activity: ActivityContext, task: ProjectTask): CheckOutcome | null {
  const { verification, flakyTests = [] } = contextOf(activity);
  if (!verification || !speaksOfFailures(activity.project.request)) return null;
  const isLast = tasksOf(activity).every(({ id, status }) => status !== 'pending' || id === task.id);
  const left = isLast ? failingTests(verification).filter(({ name }) => !flakyTests.includes(name)) : [];
  const comparison = describeFailing(left);
  return comparison ? { kind: 'failed', comparison, patch: {} } : null;
}
