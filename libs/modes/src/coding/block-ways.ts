import type { ProjectTask } from '#contracts';
import type { ActivityContext, Guards } from '#engine';
import { nextTask } from '#team';
import { workGuards } from '../work/outgrown.js';
import { isEscalated } from '../work/work-context.js';
import { currentOf, reviewsOf, seatsOf, tasksOf, WORK_MACHINE } from './coding-context.js';
import { contextOf } from './context.js';
import { codingGuards } from './guards.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

/** Something that a person can do at a block, and what comes of it. */
export interface Way {
  readonly decision: 'resolve' | 'RETRY' | 'defer' | 'proceed' | 'reject' | 'raise the budget';
  /** Goes on after the decision: "`resolve` starts the agent again". */
  readonly does: string;
}

/** Causes that stand in the way of everything that is still to do, not of one task alone. */
export const STOPS_ALL = ['setup', 'budget', 'unproven'];

const RESOLVE: Readonly<Record<string, string>> = {
  setup: 'runs the set-up again',
  agent: 'starts the agent again',
  reviewer: 'asks the reviewers again who have no review',
  uat: 'tries these scenarios again, with the files as you left them',
  unproven: 'accepts the result as it is, and records it as not proven',
  'breaker-orphans': 'continues the work',
};
const RESOLVE_PROBLEM =
  'verifies what you changed in the worktree and keeps it if tests and checks pass. Otherwise one more attempt is made, which reads what you say';
const OF_PROBLEM = ['problem', 'never-healed', 'breaker-signature'];

/** What a person can really do at this block. The gate of an errand has other options, and some are useless now. */
export function waysOut(scene: Scene, cause: string): readonly Way[] {
  const again: Way =
    cause === 'budget'
      ? { decision: 'raise the budget', does: 'lets the work continue by itself' }
      : { decision: 'resolve', does: resolveAt(cause) };
  if (isErrand(scene)) {
    return [again, { decision: 'reject', does: 'ends the errand, and nothing more is committed' }];
  }
  const judgesAgain = { decision: 'RETRY', does: 'judges again, with what you added in the worktree' } as const;
  return [
    again,
    ...(cause === 'unproven' ? [judgesAgain] : []),
    { decision: 'defer', does: whatDeferDoes(scene, cause) },
    ...(canProceed(scene) ? [{ decision: 'proceed', does: whatProceedDoes(scene) } as const] : []),
  ];
}

export const isErrand = ({ project }: Pick<Scene, 'project'>): boolean => project.machine === 'errand';

const resolveAt = (cause: string): string =>
  RESOLVE[cause] ?? (OF_PROBLEM.includes(cause) ? RESOLVE_PROBLEM : 'tries again what was blocked');

const guardsOf = ({ project }: Scene): Guards => (project.machine === WORK_MACHINE ? workGuards : codingGuards);

const holds = (scene: Scene, guard: string): boolean => guardsOf(scene)[guard]?.(scene.context, {}, {}) === true;

const isSmallTeam = (scene: Scene): boolean => scene.project.machine === WORK_MACHINE && !isEscalated(scene);

/** Whether the gate takes `proceed` now. */
export const canProceed = (scene: Scene): boolean =>
  holds(scene, 'work-awaits-acceptance') || (isSmallTeam(scene) && holds(scene, 'small-team-has-done-something'));

const whatProceedDoes = (scene: Scene): string =>
  isSmallTeam(scene)
    ? 'completes what is done so far and leaves the rest out'
    : 'takes what is done so far to acceptance and leaves the rest out';

function whatDeferDoes(scene: Scene, cause: string): string {
  if (cause === 'setup') return 'ends the project as aborted, because nothing can be verified without its set-up';
  if (isBeforeTasks(scene)) {
    return missingReviews(scene).length > 0 && holds(scene, 'reviews-remain')
      ? 'continues without the reviews that are missing'
      : 'ends the project as aborted, because nothing is planned yet';
  }
  const task = taskPutOff(scene, cause);
  const what = describePutOff(cause, task);
  const left = tasksOf(scene).some(({ id, kind, status }) => {
    if (kind === 'review' || id === task?.id) return false;
    return status === 'completed' || status === 'in_progress' || (status === 'pending' && !stopsAll(cause));
  });
  return left ? `${what}, and the project continues` : `${what}. Nothing else is left, so the project ends as aborted`;
}

const stopsAll = (cause: string): boolean => cause === 'uat' || STOPS_ALL.includes(cause);

/** The task that `defer` puts off; null if the block is about no task. */
export const taskPutOff = (scene: Pick<Scene, 'context'>, cause: string): ProjectTask | null =>
  cause === 'uat' ? null : (currentOf(scene) ?? nextTask(tasksOf(scene)));

function describePutOff(cause: string, task: ProjectTask | null): string {
  if (cause === 'uat') return 'leaves these scenarios out';
  if (task === null) return cause === 'unproven' ? 'lists in DEFERRED.md what is not proven' : 'leaves this out';
  if (stopsAll(cause)) return 'leaves all that is not done for later';
  return 'takes the change of this task back and leaves the task for later';
}

/** Work mode has findings before it is reviewed, and is reviewed only if it escalates. */
export function isBeforeTasks({ project, context }: Scene): boolean {
  if (project.machine !== WORK_MACHINE) return contextOf({ context }).findings === undefined;
  if (isEscalated({ context })) return contextOf({ context }).isReviewed !== true;
  return !tasksOf({ context }).some(({ kind }) => kind !== 'review');
}

export function missingReviews(scene: Pick<Scene, 'context'>): readonly string[] {
  const known = new Set(reviewsOf(scene).map(({ agent }) => agent));
  return seatsOf(scene)
    .map(({ agent }) => agent)
    .filter((agent) => !known.has(agent));
}
