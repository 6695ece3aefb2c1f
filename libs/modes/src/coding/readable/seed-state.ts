import type { TeamMember } from '#contracts';
import type { ActivityContext, Resting } from '#engine';
import type { JsonObject } from '#kernel';
import type { Made } from '#workspace';
import type { Spending } from '../../history.js';
import { findingsOf, listed, messagesOf, problemsOf, reviewsOf, seatsOf, tasksOf, teamOf } from '../coding-context.js';

export type Shown = Pick<ActivityContext, 'project' | 'context' | 'state' | 'checkpoint' | 'visit'> &
  // Where it rests, what it waits for.
  Partial<Pick<Resting, 'status' | 'gate' | 'wait'>> & {
    /** How it ends, of one that is about to. */
    readonly ending?: 'completed' | 'aborted';
  };

const classicMachine = 'qralph-classic';

export interface Times {
  readonly createdAt: Date | null;
  /** When the present state was entered. */
  readonly enteredAt: Date | null;
}

export interface Known {
  readonly spending: Spending;
  readonly times: Times;
  /** What is on the branch. */
  readonly made: Made;
}

const MOST_FILES = 2_000;

/** state.json: every field that people know from the state files of this family, and the checkpoint it was written at. */
export function seedState(scene: Shown, { spending, times, made }: Known): JsonObject {
  const { project, state, checkpoint } = scene;
  const { createdAt, enteredAt } = times;
  const team = teamOf(scene);
  const problems = problemsOf(scene);
  const members = team?.members ?? [];
  const problem = problems.find(({ status }) => status === 'open');
  const isClassic = project.machine === classicMachine;
  const statuses = Object.fromEntries(
    members.map(({ agent, status }) => [agent, { status, findings: countOf(scene, agent) }]),
  );
  return {
    version: '1.0',
    project: project.id,
    project_id: project.name,
    project_path: `.qralph/projects/${project.name}`,
    request: project.request,
    mode: project.machine.replace(/^qralph-/, ''),
    machine: project.machine,
    created_at: createdAt?.toISOString() ?? null,
    timestamp: enteredAt?.toISOString() ?? null,
    state,
    phase: state,
    team_name: team?.name ?? null,
    // The older of the two families keeps them by name and in its own words, with what each has handed in.
    agents: isClassic
      ? Object.fromEntries(members.map((one) => [one.agent, classicStatus(scene, one)]))
      : members.map(({ agent }) => agent),
    teammates: members.map(({ teammate }) => teammate),
    agent_status: statuses,
    skills_for_agents: Object.fromEntries(
      seatsOf(scene).flatMap(({ agent, skills }) =>
        skills.length > 0 ? [[agent, skills.map(({ name }) => name)]] : [],
      ),
    ),
    domains: team?.domains ?? [],
    findings: listed(findingsOf(scene)),
    tasks: listed(tasksOf(scene)),
    messages: messagesOf(scene).length,
    heal_attempts: problems.reduce((sum, { attempts }) => sum + attempts.length, 0),
    self_heal: {
      current_problem: problem?.title ?? null,
      attempt: problem?.attempts.length ?? 0,
      history: problems.map(({ id, title, status, attempts }) => ({ id, title, status, attempts: attempts.length })),
    },
    circuit_breakers: {
      total_tokens: tokensOf(spending),
      total_cost_usd: Number(spending.total.costUsd ?? 0),
      error_counts: errorCounts(problems),
    },
    // The readable files themselves are no part of the work.
    files_modified: made.files.filter((file) => !file.startsWith('.qralph/')).slice(0, MOST_FILES),
    git_commits: [...made.commits],
    visit: scene.visit,
    seq: checkpoint.seq,
    checksum: checkpoint.checksum,
    _checksum: checkpoint.checksum,
  };
}

/** How far a review is shows when it is handed in, not before. */
const classicStatus = (scene: Shown, { agent, status }: TeamMember): JsonObject => ({
  status: status === 'done' ? 'complete' : status,
  progress: status === 'seated' || status === 'running' ? 0 : 1,
  findings: countOf(scene, agent),
});

const countOf = (scene: Shown, agent: string): number =>
  reviewsOf(scene).find((review) => review.agent === agent)?.findings.length ?? 0;

const tokensOf = ({ total: { tokens } }: Spending): number =>
  tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;

function errorCounts(problems: ReturnType<typeof problemsOf>): JsonObject {
  const counts = new Map<string, number>();
  for (const { signature } of problems) counts.set(signature, (counts.get(signature) ?? 0) + 1);
  return Object.fromEntries(counts);
}
