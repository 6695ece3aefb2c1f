import type { Gate, HealProblem, LiveProcess, Project, ProjectEvent, TeamMember } from '#contracts';
import { waitsFor } from './waits-for.js';

/** An effect that is under way. */
export interface RunningEffect {
  readonly project: string;
  readonly effect: string;
  readonly attempt: number;
  readonly since: string;
}

/** Everything that is known of a project at one moment. */
export interface StatusFacts {
  readonly at: Date;
  readonly project: Project;
  readonly doing: readonly RunningEffect[];
  readonly members: readonly TeamMember[];
  readonly processes: readonly LiveProcess[];
  readonly problems: readonly HealProblem[];
  readonly gates: readonly Gate[];
  /** The last ones, oldest first. */
  readonly events: readonly ProjectEvent[];
  /** What is on its branch; null where it has none, or git cannot say. */
  readonly made: { readonly commits: readonly string[]; readonly files: readonly string[] } | null;
  /** What is uncommitted in its worktree at this moment, or why git cannot say; null where there is no worktree. */
  readonly pending: PendingFiles | { readonly reason: string } | null;
}

interface PendingFiles {
  readonly files: readonly { readonly path: string; readonly status: string }[];
  /** There are more. */
  readonly isCut: boolean;
}

const LONGEST_LINE = 300;
const MOST_FILES = 50;

/** STATUS.md: whoever asks gets all of it, in the order in which one wants to know it. */
export function statusPage(facts: StatusFacts): string {
  const { project, at } = facts;
  const sections: [title: string, lines: readonly string[]][] = [
    ['Where it stands', standing(project)],
    ['Waits for a person', facts.gates.map(asked)],
    ['Under way', facts.doing.map(doing)],
    ['Agents', facts.members.map(({ agent, status, tier }) => `${agent}: ${status} (${tier})`)],
    ['Processes', facts.processes.map(process)],
    ['Budget', budget(project)],
    ['Findings', Object.entries(project.findings).map(([priority, count]) => `${priority}: ${String(count)}`)],
    ['Problems', facts.problems.map(problem)],
    ['Git', git(project, facts.made)],
    ['Uncommitted work', uncommitted(facts.pending)],
    ['Last events', facts.events.map(event)],
  ];
  const shown = sections.map(([title, lines]) => `## ${title}\n\n${listed(lines)}\n`);
  return [`# ${project.name}`, '', `As of ${at.toISOString()}.`, '', ...shown].join('\n');
}

const asked = ({ name, ask, options, decided }: Gate): string =>
  `${name}: ${ask} (${decided ? `${decided.decision} is stored and waits to be taken up` : options.join(', ')})`;

const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? 'none' : lines.map((line) => `- ${oneLine(line)}`).join('\n');

/** Whatever agents and repositories say stays one item of one list. */
const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
};

const standing = ({ mode, machine, machineVersion, state, status, waitingFor, checkpoint, request }: Project) => [
  `request: ${request}`,
  `mode: ${mode} (${machine}@${String(machineVersion)})`,
  `state: ${state}, ${status}`,
  `waits for: ${waitsFor(waitingFor)}`,
  `checkpoint: ${String(checkpoint.seq)}, ${checkpoint.checksum}`,
];

const doing = ({ project, effect, attempt, since }: RunningEffect): string =>
  `${project}: ${effect}${attempt > 1 ? `, run ${String(attempt)}` : ''}, since ${since}`;

const process = ({ purpose, host, pid, status, tree, startedAt }: LiveProcess): string =>
  `${purpose}: pid ${String(pid)} on ${host}, ${status}, ${String(tree.length)} processes, since ${startedAt}`;

function budget({ budget: caps }: Project): string[] {
  if (!caps) return [];
  const { usd, tokens } = caps;
  type Amount = string | number;
  const line = (what: string, used: Amount, reserved: Amount, cap: Amount | null): string =>
    `${what}: ${String(used)} used, ${String(reserved)} reserved, cap ${cap === null ? 'none' : String(cap)}`;
  return [
    line('dollars', usd.used, usd.reserved ?? '0', usd.cap),
    line('tokens', tokens.used, tokens.reserved ?? 0, tokens.cap),
  ];
}

const problem = ({ id, title, status, attempts }: HealProblem): string =>
  `${id}: ${title} (${status}, ${String(attempts.length)} attempts)`;

function git({ workspace }: Project, made: StatusFacts['made']): string[] {
  if (!workspace) return [];
  const { branch, baseCommit, headCommit } = workspace;
  const files = made?.files ?? [];
  return [
    `branch: ${branch}, ${baseCommit.slice(0, 12)} to ${headCommit.slice(0, 12)}`,
    `commits: ${made ? String(made.commits.length) : 'unknown'}`,
    ...files.slice(0, MOST_FILES).map((file) => `changed: ${file}`),
    ...(files.length > MOST_FILES ? [`and ${String(files.length - MOST_FILES)} more`] : []),
  ];
}

function uncommitted(pending: StatusFacts['pending']): string[] {
  if (pending === null) return [];
  if ('reason' in pending) return [`unknown: ${pending.reason}`];
  const { files, isCut } = pending;
  const more = files.length - MOST_FILES;
  return [
    ...files.slice(0, MOST_FILES).map(({ path, status }) => `${status}: ${path}`),
    ...(more > 0 || isCut ? [`and ${isCut ? 'many' : String(more)} more`] : []),
  ];
}

const event = ({ seq, at, type, data }: ProjectEvent): string => `${String(seq)} ${at} ${type} ${JSON.stringify(data)}`;
