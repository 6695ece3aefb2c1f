import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { describeVerification, failingTests } from '../shared/failing-tests.js';
import { repeatable } from '../shared/repeatable.js';
import { baselineOf } from '../shared/work-parts.js';
import { codingOrderOf, type CodingParts, findingsOf, reviewsOf, seatsOf, tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
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
    check: contextOf(activity).requestPlan?.steps.find((step) => step.task === task.id)?.check ?? '',
    said: saidByPeople(activity),
    diff,
    surroundings: surroundingsOf(activity),
    isCutShort: contextOf(activity).isCutShort === true,
  };
}

const LONGEST_BASELINE = 16_000;
const LONGEST_DIFF = 10_000;

export function surroundingsOf(activity: Pick<ActivityContext, 'context'>): Surroundings {
  const { requestPlan, memories = [], repositoryMap = '', conventions = '', fileNames = [] } = contextOf(activity);
  const { turns, minutes } = codingOrderOf(activity);
  const baseline = baselineOf(activity);
  const failing = baseline ? failingTests(baseline) : [];
  const inScope = new Set((requestPlan?.scope ?? []).map(({ name }) => name));
  const outputs = new Set(failing.filter(({ name }) => inScope.has(name)).map(({ output }) => output));
  return {
    verify: baseline ? describeVerification(baseline) : 'They were not run yet.',
    baselineOutput: [...outputs].join('\n').slice(-LONGEST_BASELINE),
    inScope: [...inScope],
    knownFailures: failing.map(({ name }) => name).filter((name) => !inScope.has(name)),
    parts: requestPlan?.parts.map(describePart) ?? [],
    plan: tasksOf(activity)
      .filter(({ kind }) => kind !== 'review')
      .map(({ id, title, status }) => `${id} ${title} (${status})`),
    done: doneNotes(activity),
    findings: findingsOf(activity).map(describeFinding),
    advice: reviewsOf(activity).flatMap(({ agent, summary }) => (summary === '' ? [] : [`${agent}: ${summary}`])),
    settled: plannedNotes(activity).join('\n'),
    memories,
    conventions,
    map: repositoryMap === '' ? fileNames.slice(0, 300).join('\n') : repositoryMap,
    skills: uniqueSkills(activity),
    limits: `You have at most ${String(turns)} turns and ${String(minutes)} minutes.`,
  };
}

const describePart = ({ title, interface: seen }: RequestPlan['parts'][number], index: number): string =>
  `${String(index + 1)}. ${title}${seen === '' ? '' : `\nInterface: ${seen}`}`;

/** Skills that matched the request, each once though several seats have it. */
function uniqueSkills(activity: Pick<ActivityContext, 'context'>): Surroundings['skills'] {
  const skills = seatsOf(activity).flatMap((seat) => seat.skills);
  return [...new Map(skills.map((skill) => [skill.name, skill])).values()].slice(0, 5);
}
