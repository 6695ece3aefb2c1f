import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { describeFailures, describeVerification } from '../shared/failing-tests.js';
import { repeatable } from '../shared/repeatable.js';
import { baselineOf } from '../shared/work-parts.js';
import { type CodingParts, findingsOf, problemsOf, reviewsOf, seatsOf, tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
import { withKept } from './earlier-attempts.js';
import type { ExecuteInput } from './execute.prompt.js';
import { doneNotes, plannedNotes, saidByPeople } from './notes.js';
import { describeFinding } from './scoping/plan.prompt.js';
import type { RequestPlan } from './scoping/request-plan.js';
import { shortenDiff } from './shorten-patch.js';
import type { Surroundings } from './surroundings.js';
import { findingOf } from './work-task.js';

/** What the implementer of a task is told. */
export async function executeInput(
  { worktrees }: Pick<CodingParts, 'worktrees'>,
  activity: ActivityContext,
  { worktree, startCommit }: { readonly worktree: Worktree; readonly startCommit: string },
  task: ProjectTask,
): Promise<ExecuteInput> {
  const { baseCommit } = worktree;
  // The first task starts from the base: there is nothing to show.
  const diff =
    startCommit === baseCommit
      ? ''
      : await repeatable(activity, 'diff-so-far', async () =>
          shortenDiff(await worktrees.diff(worktree, baseCommit, startCommit), LONGEST_DIFF),
        );
  return {
    task,
    finding: findingOf(activity, task),
    request: activity.project.request,
    check: checkOf(activity, task.id),
    said: saidByPeople(activity),
    diff,
    attempts: attemptsAt(activity, task),
    surroundings: surroundingsOf(activity),
    isCutShort: contextOf(activity).isCutShort === true,
  };
}

const LONGEST_DIFF = 10_000;

/** How to see that a step of the plan is done; empty if the task is no step. */
export const checkOf = (activity: Pick<ActivityContext, 'context'>, task: string): string =>
  contextOf(activity).requestPlan?.steps.find((step) => step.task === task)?.check ?? '';

/** Attempts that failed at this task, or at an earlier task for the same scenario. */
function attemptsAt(activity: ActivityContext, { id, kind, title }: ProjectTask): ExecuteInput['attempts'] {
  const isSame = (one: ProjectTask): boolean => one.id === id || (kind === 'scenario' && one.title === title);
  const tasks = new Set(tasksOf(activity).flatMap((one) => (isSame(one) ? one.id : [])));
  return problemsOf(activity)
    .filter(({ task }) => task !== null && tasks.has(task))
    .flatMap((problem) => withKept(activity, problem))
    .filter(({ outcome }) => outcome === 'failed');
}

export function surroundingsOf(activity: Pick<ActivityContext, 'context'>): Surroundings {
  const { requestPlan, memories = [], repositoryMap = '', conventions = '', fileNames = [] } = contextOf(activity);
  const baseline = baselineOf(activity);
  const failing = baseline ? describeFailures(baseline) : [];
  const inScope = new Set((requestPlan?.scope ?? []).map(({ name }) => name));
  const known = failing.filter(({ name }) => !inScope.has(name));
  return {
    verify: baseline ? describeVerification(baseline) : 'They were not run yet.',
    inScope: [...inScope],
    baselineOutput: failing.filter(({ name }) => inScope.has(name)).map(({ output }) => output),
    knownFailures: known.map(({ name }) => name),
    knownOutput: known.map(({ output }) => output),
    parts: requestPlan?.parts.map(describePart) ?? [],
    plan: tasksOf(activity)
      .filter(({ kind }) => kind !== 'review')
      .map((task) => describeStep(task, checkOf(activity, task.id))),
    done: doneNotes(activity).toReversed(),
    findings: findingsOf(activity).toSorted(byRelevance).map(describeWithOutcome),
    advice: reviewsOf(activity).flatMap(({ agent, summary }) => (summary === '' ? [] : [`${agent}: ${summary}`])),
    settled: plannedNotes(activity).join('\n'),
    memories,
    conventions,
    map: repositoryMap === '' ? fileNames.slice(0, 300).join('\n') : repositoryMap,
    skills: uniqueSkills(activity),
  };
}

const describeStep = ({ id, title, status }: ProjectTask, check: string): string =>
  `${id} ${title} (${status})${check === '' ? '' : `. Done if: ${check}`}`;

const RELATIONS: readonly Finding['relation'][] = ['is-request', 'before', 'after', 'aside'];

/** The most useful first: what concerns the request, then what is urgent. */
const byRelevance = (one: Finding, other: Finding): number =>
  RELATIONS.indexOf(one.relation) - RELATIONS.indexOf(other.relation) || one.priority.localeCompare(other.priority);

function describeWithOutcome(finding: Finding): string {
  const { kind, reason } = finding.outcome;
  const outcome = kind === 'open' ? '' : `\nOutcome: ${kind}${reason === null ? '' : `, ${reason.slice(0, 200)}`}`;
  return `${describeFinding(finding)}${outcome}`;
}

const describePart = ({ title, interface: seen }: RequestPlan['parts'][number], index: number): string =>
  `${String(index + 1)}. ${title}${seen === '' ? '' : `\nInterface: ${seen}`}`;

/** Skills that matched the request, each once, even if several seats have it. */
function uniqueSkills(activity: Pick<ActivityContext, 'context'>): Surroundings['skills'] {
  const skills = [...seatsOf(activity).flatMap((seat) => seat.skills), ...(contextOf(activity).skills ?? [])];
  return [...new Map(skills.map((skill) => [skill.name, skill])).values()].slice(0, 5);
}
