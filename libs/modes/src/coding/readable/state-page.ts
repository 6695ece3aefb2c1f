import { oneLine, section } from '../../shared/page-parts.js';
import type { ToldEvent } from '../../history.js';
import { currentOf, problemsOf, scenariosOf, tasksOf, teamOf } from '../coding-context.js';
import { nextInstructions } from './next-instructions.js';
import type { Shown } from './seed-state.js';

const BOX = { pending: ' ', in_progress: '~', completed: 'x', skipped: '-', deferred: '-' } as const;
const MOST_FILES = 50;
const MOST_ROWS = 50;

export interface Session {
  /** What happened, oldest first. */
  readonly told: readonly ToldEvent[];
  /** Files that differ from the last commit of the branch. */
  readonly uncommitted: readonly string[];
}

/** STATE.md: where the project stands, for somebody who opens the repository. */
export function statePage(scene: Shown, { told, uncommitted }: Session): string {
  const { project, context, state, checkpoint } = scene;
  const team = teamOf(scene);
  const lines = [
    `# ${project.name}`,
    ...(context['simulated'] === true ? ['', '**With a simulated model.**'] : []),
    '',
    '| | |',
    '| --- | --- |',
    `| request | ${oneLine(project.request)} |`,
    `| state | ${state} |`,
    `| machine | ${project.machine} |`,
    `| branch | ${oneLine(textOf(context['branch']))} |`,
    `| team | ${oneLine(team ? `${team.name}, ${team.status}: ${team.members.map(({ agent, status }) => `${agent} ${status}`).join(', ')}` : 'none yet')} |`,
    `| checkpoint | ${String(checkpoint.seq)} |`,
    ...section('Execution plan', planLines(scene)),
    ...section('Current step', currentLines(scene)),
    ...section('Uncommitted work', uncommittedLines(uncommitted)),
    ...section('Session log', logLines(told)),
    ...section('Next session', nextInstructions(scene)),
  ];
  return `${lines.join('\n')}\n`;
}

function planLines(scene: Shown): string[] {
  const lines = tasksOf(scene).map(({ id, title, status, commit }) => {
    const where = commit === null ? '' : ` (${commit.slice(0, 8)})`;
    return `- [${BOX[status]}] ${id} ${oneLine(title, 200)}${where}${status === 'deferred' ? ', deferred' : ''}`;
  });
  return lines.length > 0 ? lines : ['None yet: the team is not seated.'];
}

function currentLines(scene: Shown): string[] {
  const { state, status, context } = scene;
  const task = currentOf(scene);
  const problem = problemsOf(scene).find(({ status: of }) => of === 'open');
  const scenario = state === 'UAT' ? scenariosOf(scene).find(({ verdict }) => verdict === 'open') : undefined;
  const why = context['why'];
  return [
    `- state: ${state}${status === undefined || status === 'running' ? '' : `, ${status}`}`,
    ...(task ? [`- task: ${task.id} ${oneLine(task.title, 200)}`] : []),
    ...(problem ? [`- problem: ${problem.id} ${oneLine(problem.title, 200)}, ${times(problem.attempts.length)}`] : []),
    ...(scenario ? [`- scenario: ${scenario.id} ${oneLine(scenario.title, 200)}`] : []),
    ...(typeof why === 'string' ? [`- waits because: ${oneLine(why)}`] : []),
  ];
}

const times = (attempts: number): string => `${String(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`;

function uncommittedLines(files: readonly string[]): string[] {
  if (files.length === 0) return ['None.'];
  const more = files.length - MOST_FILES;
  return [
    ...files.slice(0, MOST_FILES).map((file) => `- ${oneLine(file, 200)}`),
    ...(more > 0 ? [`- and ${String(more)} more`] : []),
  ];
}

function logLines(told: readonly ToldEvent[]): string[] {
  const rows = told.flatMap(({ at, type, data }) => {
    const words = LOGGED[type];
    return words ? [`| ${at.toISOString()} | ${words(data).map((word) => oneLine(word, 200)).join(' | ')} |`] : [];
  }); // prettier-ignore
  return ['| time | state | because |', '| --- | --- | --- |', ...rows.slice(-MOST_ROWS)];
}

const LOGGED: Readonly<Record<string, ((data: ToldEvent['data']) => readonly [string, string]) | undefined>> = {
  'state.entered': ({ to, cause }) => [textOf(to), textOf(cause)],
  'project.taken-over': () => ['', 'its worker was gone, another one went on'],
  'checkpoint.restored': ({ to }) => ['', `brought back to checkpoint ${typeof to === 'number' ? String(to) : textOf(to)}`],
}; // prettier-ignore

/** What is told on STATE.md beside the decisions. */
export const LOGGED_EVENTS = Object.keys(LOGGED);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
