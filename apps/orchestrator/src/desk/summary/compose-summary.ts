import type { ProjectSummary } from '#contracts';
import type { Seen } from './seen.js';
import { waitingOf, words } from './waiting.js';

type Waiting = ProjectSummary['waitingFor'];

/** More than these no summary has room for, however short they are. */
const MOST = { plan: 40, log: 10, files: 20, findings: 8, problems: 4, unknown: 6 };
const BOX = { pending: ' ', in_progress: '~', completed: 'x', skipped: '-', deferred: '-' } as const;

/** All that may be said, in short; what there is no room for is left out afterwards, the least important first. */
export function composeSummary(seen: Seen): ProjectSummary {
  const { project } = seen;
  const waitingFor = waitingOf(seen);
  const next = nextOf(seen, waitingFor);
  const { id, name, mode, state, status, checkpoint, createdAt, updatedAt, budget, simulated, proven } = project;
  const open = seen.findings.filter(({ outcome }) => outcome.kind === 'open');
  const plan = planOf(seen);
  const isDone = ({ box }: { readonly box: string }): boolean => box === 'x' || box === '-';
  return {
    headline: [
      `${name} (${mode}${project.escalated ? ', escalated' : ''}): ${state}, ${status}${simulated ? ', with a simulated model' : ''}${proven === null ? '' : `, proven: ${proven}`}. ${words(project.request, 40)}`,
      `${whoLine(status, waitingFor)}${waitingFor?.why == null ? '' : becauseOf(seen)}`,
      `Next: ${next[0] ?? ''}`,
    ],
    project: {
      id, name, mode, state, status, request: words(project.request, 60),
      repo: project.repo && words(project.repo.path, 40),
      branch: project.workspace && words(project.workspace.branch, 40),
      team: project.team && words(project.team.name, 30),
      checkpoint, createdAt, updatedAt,
    }, // prettier-ignore
    simulated,
    proven,
    waitingFor,
    next,
    unknown: {
      items: seen.unknown.slice(0, MOST.unknown).map(({ what, then }) => ({ what: words(what, 60), then: words(then, 50) })), // prettier-ignore
      more: Math.max(0, seen.unknown.length - MOST.unknown),
    },
    current: currentOf(seen),
    plan: { done: plan.filter(isDone).length, total: plan.length, ...lastOf(plan, MOST.plan) },
    uncommitted: uncommittedOf(seen),
    budget,
    findings: {
      counts: project.findings,
      open: open.slice(0, MOST.findings).map(({ id: of, priority, title }) => `${priority} ${words(of, 8)} ${words(title, 30)}`), // prettier-ignore
      more: Math.max(0, open.length - MOST.findings),
    },
    problems: problemsOf(seen),
    log: logOf(seen),
  };
}

function whoLine(status: string, waiting: Waiting): string {
  if (waiting === null) {
    const isOver = ['completed', 'aborted', 'failed'].includes(status);
    return isOver ? `Waits for nobody: it has ended, ${status}.` : 'Waits for nobody: it goes on by itself.';
  }
  const who = { person: 'Waits for a person', time: 'Waits', children: 'Waits', step: 'Is about to pause', service: 'Waits for another version of the service' }; // prettier-ignore
  const until = waiting.until === null ? '' : ` Until ${waiting.until}.`;
  return `${who[waiting.who]}: ${words(waiting.ask, 60)}${until}`;
}

/** What led to the question, in its first line that is no heading: of a plan its cap, of a step what it asks. */
function becauseOf({ gate }: Seen): string {
  const line = gate?.why?.split('\n').find((one) => /^[^#*\s]/.test(one));
  return line === undefined ? '' : ` Because: ${words(line, 60)}`;
}

/** What somebody does next who comes back. The first line is the one that counts. */
function nextOf({ project, gate }: Seen, waiting: Waiting): string[] {
  const at = `/v1/projects/${project.id}`;
  const branch = project.workspace?.branch;
  if (waiting?.answer != null) {
    const isBudget = gate !== null && /budget/i.test(gate.why ?? '') && project.status === 'blocked';
    const decide = `${waiting.answer}${waiting.options.length > 0 ? `, with ${waiting.options.join(', ')}` : ''}`;
    // Until it is raised nothing that was asked for can be done, and most decisions would change nothing.
    return [...(isBudget ? [`a spent budget is left by raising it: POST ${at}/budget`] : []), decide];
  }
  if (waiting?.who === 'step') {
    return [`nothing: it pauses by itself. POST ${at}/commands {"command": "RESUME"} takes that back.`];
  }
  switch (project.status) {
    case 'completed':
    case 'aborted':
      return [
        // One without a repository leaves no files.
        `nothing${project.repo === null ? '' : ': how it ended is in SUMMARY.md'}${branch ? `, what was changed on ${words(branch, 60)}` : ''}.`,
        `To go on from one of its checkpoints: POST ${at}/checkpoints/{seq}/fork`,
      ];
    case 'failed':
      return [`nothing goes on by itself: a fault of the service. POST ${at}/checkpoints/{seq}/fork goes on from an earlier checkpoint.`]; // prettier-ignore
    default:
      return [`nothing: it goes on by itself. GET ${at}/events shows it live.`];
  }
}

function currentOf({ project, tasks, problems }: Seen): string[] {
  const task = tasks.find(({ kind, status }) => kind !== 'review' && status === 'in_progress');
  const problem = problems.find(({ status }) => status === 'open');
  const { attempt, model } = project.healing;
  return [
    `state ${project.state}, ${project.status}`,
    ...(task ? [`task ${words(task.id, 8)} ${words(task.title, 50)}`] : []),
    ...(problem ? [`problem ${words(problem.id, 8)} ${words(problem.title, 50)}, attempts ${String(Math.max(attempt, problem.attempts.length))}${model === null ? '' : `, ${words(model, 20)}`}`] : []),
  ]; // prettier-ignore
}

type PlanItem = ProjectSummary['plan']['items'][number];

/** The tasks; in a mode that never has any, the steps of its machine. */
function planOf({ tasks, steps, project, log }: Seen): readonly PlanItem[] {
  if (tasks.length > 0) {
    return tasks.map(({ id, title, status }) => ({ box: BOX[status], text: `${words(id, 8)} ${words(title, 40)}` }));
  }
  const entered = new Set(log.map(({ state }) => state));
  const isOver = ['completed', 'aborted', 'failed'].includes(project.status);
  const boxOf = (step: string): PlanItem['box'] => {
    if (step === project.state && !isOver) return '~';
    return entered.has(step) ? 'x' : ' ';
  };
  return steps.map((step) => ({ box: boxOf(step), text: words(step, 20) }));
}

const lastOf = <T>(items: readonly T[], most: number): { items: T[]; more: number } => ({
  items: items.slice(-most),
  more: Math.max(0, items.length - most),
});

function uncommittedOf({ pending }: Seen): ProjectSummary['uncommitted'] {
  if (pending === null) return { isKnown: true, files: [], more: 0 };
  if ('reason' in pending) return { isKnown: false, files: [], more: 0 };
  const files = pending.files.slice(0, MOST.files).map(({ path, status }) => `${status} ${words(path, 40)}`);
  return { isKnown: !pending.isCut, files, more: pending.files.length - files.length };
}

function problemsOf({ problems }: Seen): ProjectSummary['problems'] {
  const newest = problems.slice(-MOST.problems);
  const items = newest.map(({ id, title, status, attempts }) => `${words(id, 8)} ${words(title, 30)}: ${status}, attempts ${String(attempts.length)}`); // prettier-ignore
  return { items, more: problems.length - newest.length };
}

/** The newest, oldest of them first; times to the minute. */
function logOf({ log }: Seen): ProjectSummary['log'] {
  const rows = log.slice(-MOST.log).map(({ at, state, because }) => {
    const when = at.toISOString().slice(5, 16).replace('T', ' ');
    return `${when} ${state === '' ? '' : `${words(state, 16)}: `}${words(because, 80)}`;
  });
  return { rows, more: log.length - rows.length };
}
