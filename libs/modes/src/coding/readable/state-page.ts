import { oneLine, section } from '../../shared/page-parts.js';
import { currentOf, problemsOf, tasksOf, teamOf } from '../coding-context.js';
import type { Shown } from './seed-state.js';

const BOX = { pending: ' ', in_progress: '~', completed: 'x', skipped: '-', deferred: '-' } as const;

/** STATE.md: where the project stands, for somebody who opens the repository. */
export function statePage(scene: Shown): string {
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
    ...section('Execution plan', tasksOf(scene).map(({ id, title, status, commit }) =>
      `- [${BOX[status]}] ${id} ${oneLine(title, 200)}${commit === null ? '' : ` (${commit.slice(0, 8)})`}${status === 'deferred' ? ', deferred' : ''}`,
    )), // prettier-ignore
    ...section('Current step', currentLines(scene)),
  ];
  return `${lines.join('\n')}\n`;
}

function currentLines(scene: Shown): string[] {
  const task = currentOf(scene);
  const problem = problemsOf(scene).find(({ status }) => status === 'open');
  const why = scene.context['why'];
  return [
    `- state: ${scene.state}`,
    ...(task ? [`- task: ${task.id} ${oneLine(task.title, 200)}`] : []),
    ...(problem
      ? [`- problem: ${problem.id} ${oneLine(problem.title, 200)}, ${String(problem.attempts.length)} attempts`]
      : []),
    ...(typeof why === 'string' ? [`- waits because: ${oneLine(why)}`] : []),
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
