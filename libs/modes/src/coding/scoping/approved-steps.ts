import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { planTasks } from '#team';
import { codingOrderOf, findingsOf, tasksOf, WORK_MACHINE } from '../coding-context.js';
import type { ContextPatch } from '../context.js';

interface ApprovedStep {
  readonly title: string;
  readonly detail: string;
  readonly check: string;
}

type Scene = Pick<ActivityContext, 'project' | 'context'>;

/** The steps of the plan that classic mode wrote and a person may have approved. */
export function approvedStepsOf({ project, context }: Scene): readonly ApprovedStep[] {
  if (project.machine !== 'qralph-classic') return [];
  const plan = context['plan'] as { readonly steps?: readonly { title: string; check: string }[] } | null | undefined;
  return (plan?.steps ?? []).map(({ title, check }) => ({ title, detail: '', check }));
}

/** Work mode's steps are tasks with checks of their own. */
export const hasSteps = ({ project, context }: Scene): boolean =>
  project.machine === WORK_MACHINE &&
  tasksOf({ context }).some(({ kind, status }) => kind === 'step' && status !== 'skipped');

const MOST_ASIDES = 5;

/** The findings of the reviewers around the steps that are left. The step in progress goes on first. */
export function planAroundSteps(activity: ActivityContext): ContextPatch {
  const tasks = tasksOf(activity);
  const left = tasks.filter(
    ({ kind, status }) => kind === 'step' && (status === 'pending' || status === 'in_progress'),
  );
  const begun = left.filter(({ status }) => status === 'in_progress');
  const rest = left.filter((step) => !begun.includes(step));
  const urgent = findingsOf(activity).filter(({ priority, outcome }) => priority !== 'P2' && outcome.kind === 'open');
  const of = (...relations: readonly Finding['relation'][]): readonly Finding[] =>
    urgent.filter(({ relation }) => relations.includes(relation));
  const { asides: wanted = 'P1' } = codingOrderOf(activity);
  const isWanted = ({ priority }: Finding): boolean => wanted === 'P1' || priority === wanted;
  const asides = of('aside').filter(isWanted).slice(0, MOST_ASIDES);
  const made = planTasks({ before: of('before', 'is-request'), steps: [], after: of('after'), asides }, tasks);
  const isFirst = ({ finding }: ProjectTask): boolean => of('before', 'is-request').some(({ id }) => id === finding);
  const others = tasks.filter((task) => !left.includes(task));
  return {
    tasks: [...others, ...begun, ...made.filter(isFirst), ...rest, ...made.filter((task) => !isFirst(task))],
  };
}
