import type { Proven } from '#contracts';
import { provenOf } from '#kernel';
import { tasksAsSeen } from '#team';
import type { Pending } from '#workspace';
import { fenced, oneLine, section } from '../../shared/page-parts.js';
import { logLines, uncommittedLines, unknownLines } from '../../shared/session-lines.js';
import { sessionRows } from '../../shared/session-log.js';
import type { UnknownItem, Unseen } from '../../shared/unknown-items.js';
import type { ToldEvent } from '../../history.js';
import { problemsOf, scenariosOf, tasksOf, teamOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { nextInstructions } from './next-instructions.js';
import type { Shown } from './seed-state.js';

const BOX = { pending: ' ', in_progress: '~', completed: 'x', skipped: '-', deferred: '-' } as const;

export interface Session {
  /** What happened, oldest first. */
  readonly told: readonly ToldEvent[];
  /** What differs in the worktree from the last commit of the branch; null where there is no worktree. */
  readonly pending: Pending | Unseen | null;
  readonly unknown: readonly UnknownItem[];
  /** The states of a mode without tasks, in the order of their doing. */
  readonly steps?: readonly string[];
}

/** STATE.md: where the project stands, for somebody who opens the repository. */
export function statePage(scene: Shown, { told, pending, unknown, steps = [] }: Session): string {
  const { project, state, checkpoint } = scene;
  const known = contextOf(scene);
  const team = teamOf(scene);
  const lines = [
    `# ${project.name}`,
    ...(known.simulated === true ? ['', '**With a simulated model.**'] : []),
    '',
    '| | |',
    '| --- | --- |',
    `| request | ${oneLine(project.request)} |`,
    `| state | ${state} |`,
    `| status | ${scene.status ?? scene.ending ?? 'running'} |`,
    `| proven | ${provenIn(scene) ?? 'not judged yet'} |`,
    `| machine | ${project.machine} |`,
    `| branch | ${oneLine(textOf(known.branch))} |`,
    `| team | ${oneLine(team ? `${team.name}, ${team.status}: ${team.members.map(({ agent, status }) => `${agent} ${status}`).join(', ')}` : 'none yet')} |`,
    `| checkpoint | ${String(checkpoint.seq)} |`,
    ...forkedLine(known.forkedFrom),
    ...section('Execution plan', planLines(scene, steps, told)),
    ...section('Current step', currentLines(scene)),
    ...section('Uncommitted work', uncommittedLines(pending)),
    ...section('Status unknown', unknownLines(unknown)),
    ...section('Session log', logLines(told)),
    ...section('Next session', nextInstructions(scene)),
  ];
  return `${lines.join('\n')}\n`;
}

function provenIn({ context, status, ending }: Shown): Proven | null {
  const { isProven, isWhollyAccepted, simulated } = contextOf({ context });
  const isCompleted = (status ?? ending) === 'completed';
  return provenOf({ isProven, isWhollyAccepted, isSimulated: simulated === true, isCompleted });
}

function planLines(scene: Shown, steps: readonly string[], told: readonly ToldEvent[]): string[] {
  if (steps.length > 0) return stepLines(scene, steps, told);
  const lines = seenIn(scene).map(({ id, title, status, commit }) => {
    const where = commit === null ? '' : ` (${commit.slice(0, 8)})`;
    return `- [${BOX[status]}] ${id} ${oneLine(title, 200)}${where}${status === 'deferred' ? ', deferred' : ''}`;
  });
  return lines.length > 0 ? lines : ['None yet.'];
}

/** Of a mode that has no tasks: which of its states it has been in. */
function stepLines({ state }: Shown, steps: readonly string[], told: readonly ToldEvent[]): string[] {
  const entered = new Set(sessionRows(told).map((row) => row.state));
  const boxOf = (step: string): string => (entered.has(step) ? 'x' : ' ');
  return steps.map((step) => `- [${step === state ? '~' : boxOf(step)}] ${step}`);
}

function currentLines(scene: Shown): string[] {
  const { state, status } = scene;
  const task = seenIn(scene).find((one) => one.kind !== 'review' && one.status === 'in_progress');
  const problem = problemsOf(scene).find(({ status: of }) => of === 'open');
  const scenario = state === 'UAT' ? scenariosOf(scene).find(({ verdict }) => verdict === 'open') : undefined;
  return [
    `- state: ${state}${status === undefined || status === 'running' ? '' : `, ${status}`}`,
    ...(task ? [`- task: ${task.id} ${oneLine(task.title, 200)}`] : []),
    ...(problem ? [`- problem: ${problem.id} ${oneLine(problem.title, 200)}, ${times(problem.attempts.length)}`] : []),
    ...(scenario ? [`- scenario: ${scenario.id} ${oneLine(scenario.title, 200)}`] : []),
    ...whyLines(scene),
  ];
}

const seenIn = (scene: Shown) => tasksAsSeen(tasksOf(scene), scene.state);

/** A plan stands in PLAN.md. Any other question fits on one screen, and is shown whole. */
const PLAN_LINES = 12;
const SCREEN_LINES = 60;

function whyLines({ context, gate }: Shown): string[] {
  const { why } = contextOf({ context });
  if (!gate || typeof why !== 'string') return [];
  const [first = '', ...rest] = why.split('\n').filter((line) => line.trim() !== '');
  if (rest.length === 0) return [`- waits because: ${oneLine(first)}`];
  const most = gate.name === 'plan' ? PLAN_LINES : SCREEN_LINES;
  const more = rest.length + 1 - most;
  const shown = [first, ...rest].slice(0, most).join('\n');
  return [
    '- waits because:',
    '',
    ...fenced(shown, 'bullet'),
    ...(more > 0 ? ['', `  and ${String(more)} more lines: see the gate`] : []),
  ];
}

const times = (attempts: number): string => `${String(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`;

const forkedLine = (forked: unknown): string[] => {
  const { project, name, seq } = (forked ?? {}) as { readonly [key: string]: unknown };
  const origin = oneLine(textOf(name ?? project));
  return typeof seq === 'number' ? [`| forked from | checkpoint ${String(seq)} of ${origin} |`] : [];
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
