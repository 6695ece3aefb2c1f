import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { planTasks } from '#team';
import { tasksOf, WORK_MACHINE } from '../coding-context.js';
import { contextOf } from '../context.js';

export interface ApprovedStep {
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  /** The task that carries it out, if there is one already. */
  readonly task: string | null;
}

type Scene = Pick<ActivityContext, 'project' | 'context'>;

/** The steps of a plan that a person approved, in classic and in work mode. */
export function approvedStepsOf(scene: Scene): readonly ApprovedStep[] {
  const { project } = scene;
  const planned = contextOf(scene).plan?.steps ?? [];
  if (project.machine === 'qralph-classic') {
    return planned.map(({ title, check }) => ({ title, detail: '', check, task: null }));
  }
  return stepTasksOf(scene).map(({ id, title, detail }) => {
    const check = planned.find(({ task }) => task === id)?.check ?? '';
    return { title, detail, check, task: id };
  });
}

/** A small team carries out the steps that a person approved, and nothing else: their cost is the cap. */
export const hasStepsOnly = ({ project, context }: Scene): boolean =>
  project.machine === WORK_MACHINE && context['escalated'] !== true;

/** Whether work mode has steps, which are tasks with checks of their own. */
export const hasSteps = (scene: Scene): boolean => stepTasksOf(scene).length > 0;

const stepTasksOf = ({ project, context }: Scene): readonly ProjectTask[] =>
  project.machine === WORK_MACHINE
    ? tasksOf({ context }).filter(({ kind, status }) => kind === 'step' && status !== 'skipped')
    : [];

interface Around {
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
  readonly asides: readonly Finding[];
}

/** Findings around the steps that are left. The step in progress goes on first. */
export function arrangeAroundSteps(
  tasks: readonly ProjectTask[],
  { before, after, asides }: Around,
): readonly ProjectTask[] {
  const left = tasks.filter(
    ({ kind, status }) => kind === 'step' && (status === 'pending' || status === 'in_progress'),
  );
  const begun = left.filter(({ status }) => status === 'in_progress');
  const rest = left.filter((step) => !begun.includes(step));
  const others = tasks.filter((task) => !left.includes(task));
  const made = planTasks({ before, steps: [], after, asides }, tasks);
  const first = made.slice(0, before.length);
  return [...others, ...begun, ...first, ...rest, ...made.slice(before.length)];
}
