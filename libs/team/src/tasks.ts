import type { Finding, ProjectTask, Team } from '#contracts';
import { EngineBug } from '#kernel';
import { LONGEST } from './bounds.js';
import { cleanLine } from './clean-text.js';

type NewTask = Pick<ProjectTask, 'kind' | 'title' | 'detail'> & Partial<Pick<ProjectTask, 'owner' | 'finding'>>;

/** One for each reviewer. */
export const reviewTasks = (
  { members }: Pick<Team, 'members'>,
  before: readonly ProjectTask[] = [],
): readonly ProjectTask[] =>
  numbered(
    members.map(({ agent, teammate, reasons }) => ({
      kind: 'review' as const,
      title: cleanLine(`Review by ${agent}`, LONGEST.title),
      detail: reasons.join('; '),
      owner: teammate,
    })),
    before,
  );

export interface PlannedWork {
  /** Findings that are fixed before the request. */
  readonly before: readonly Finding[];
  readonly steps: readonly { readonly title: string; readonly detail: string }[];
  /** Findings about the result of the request. */
  readonly after: readonly Finding[];
  readonly asides: readonly Finding[];
}

/** The tasks of a plan, in the order in which they are carried out. */
export const planTasks = (
  { before, steps, after, asides }: PlannedWork,
  known: readonly ProjectTask[] = [],
): readonly ProjectTask[] =>
  numbered(
    [
      ...before.map(findingTask),
      ...steps.map(({ title, detail }) => ({
        kind: 'request' as const,
        title: cleanLine(title, LONGEST.title),
        detail,
      })),
      ...after.map(findingTask),
      ...asides.map(findingTask),
    ],
    known,
  );

/** One for each step of a plan. */
export const stepTasks = (
  steps: readonly { readonly title: string; readonly detail: string; readonly owner: string }[],
  before: readonly ProjectTask[],
): readonly ProjectTask[] =>
  numbered(
    steps.map(({ title, detail, owner }) => ({
      kind: 'step' as const,
      title: cleanLine(title, LONGEST.title),
      detail,
      owner,
    })),
    before,
  );

function findingTask({ id, priority, title, body, file, line }: Finding): NewTask {
  const place = file === null ? '' : `\n\nAt ${file}${line === null ? '' : `:${String(line)}`}`;
  return {
    kind: 'finding',
    title: cleanLine(`${priority}: ${title}`, LONGEST.title),
    detail: `${body}${place}`.trim(),
    finding: id,
  };
}

/** What is missing for a proof of the whole result. It is healed, not planned, so it begins in progress. */
export const proofTask = (
  { title, detail }: { readonly title: string; readonly detail: string },
  before: readonly ProjectTask[],
): readonly ProjectTask[] =>
  numbered([{ kind: 'proof', title: cleanLine(title, LONGEST.title), detail }], before).map((task) => ({
    ...task,
    status: 'in_progress' as const,
  }));

/** What acceptance found lacking. */
export const failedScenarioTasks = (
  failed: readonly { readonly title: string; readonly detail: string }[],
  before: readonly ProjectTask[],
): readonly ProjectTask[] =>
  numbered(
    failed.map(({ title, detail }) => ({ kind: 'scenario' as const, title: cleanLine(title, LONGEST.title), detail })),
    before,
  );

/** What a person who looked at the result wants changed. */
export const feedbackTasks = (feedback: string, before: readonly ProjectTask[]): readonly ProjectTask[] =>
  numbered([{ kind: 'feedback', title: cleanLine(feedback, LONGEST.title), detail: feedback }], before);

/** One that was begun goes on; then the first that waits. */
export const nextTask = (tasks: readonly ProjectTask[]): ProjectTask | null =>
  tasks.find(({ status }) => status === 'in_progress') ?? tasks.find(({ status }) => status === 'pending') ?? null;

/** The state of every table in which tasks are carried out, one a visit. */
const AT_WORK = 'EXECUTING';

/** As people see them: what is worked on is begun, though no checkpoint says so before it has come to something. */
export function tasksAsSeen(tasks: readonly ProjectTask[], state: string): readonly ProjectTask[] {
  const next = state === AT_WORK ? nextTask(tasks) : null;
  return next?.status === 'pending' ? withTask(tasks, next.id, { status: 'in_progress' }) : tasks;
}

export function withTask(
  tasks: readonly ProjectTask[],
  id: string,
  change: Partial<Pick<ProjectTask, 'owner' | 'status' | 'commit' | 'note'>>,
): readonly ProjectTask[] {
  if (!tasks.some((task) => task.id === id)) throw new EngineBug('TASK_UNKNOWN', `there is no task ${id}`);
  return tasks.map((task) => (task.id === id ? { ...task, ...change } : task));
}

/** Numbers go on after those that were given, and none is given twice. */
function numbered(tasks: readonly NewTask[], before: readonly ProjectTask[]): readonly ProjectTask[] {
  const last = before.reduce((most, { id }) => Math.max(most, Number(id.slice(2)) || 0), 0);
  return tasks.map(({ owner = null, finding = null, ...task }, index) => ({
    id: `T-${String(last + index + 1).padStart(3, '0')}`,
    ...task,
    owner,
    status: 'pending',
    finding,
    commit: null,
    note: null,
  }));
}
