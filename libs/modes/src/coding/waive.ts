import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { nextTask } from '#team';
import { currentOf, listed, scenariosOf, tasksOf } from './coding-context.js';
import { requestItself, type Scenario } from './scenario.js';

type Scene = Pick<ActivityContext, 'context' | 'project'>;

/** Causes that keep the work from being proven, and say nothing about a scenario. */
const OF_THE_PROOF = ['unproven', 'setup'];

/** The scenarios that a person goes on without: those that failed, and whatever acceptance itself could not get past. */
export function withoutWaived(scene: Scene, { cause, because }: { cause: string; because: string }): JsonObject {
  const known = scenariosOf(scene);
  const isStuck = cause !== 'uat' && !OF_THE_PROOF.includes(cause) && !hasWork(scene);
  const all = isStuck && known.length === 0 ? [requestItself(scene.project.request)] : known;
  const isLeftOut = ({ verdict }: Scenario): boolean => verdict === 'failed' || (isStuck && verdict === 'open');
  const scenarios = all.map((one) =>
    isLeftOut(one)
      ? { ...one, verdict: 'waived' as const, because: `${because}: ${one.because || 'nobody has tried it'}` }
      : one,
  );
  return { scenarios: listed(scenarios) };
}

/** Whether anything is begun, or waits to be. */
export const hasWork = (scene: Pick<Scene, 'context'>): boolean =>
  (currentOf(scene) ?? nextTask(tasksOf(scene))) !== null;
