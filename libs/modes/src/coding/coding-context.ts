import type { Finding, HealProblem, ProjectTask, Team, TeamMessage } from '#contracts';
import type { Discovered } from '#discovery';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Memory } from '#memory';
import type { HealPatterns } from '#self-heal';
import type { Tier } from '#models';
import type { WorkParts } from '../shared/work-parts.js';
import type { CodingOrder } from './order.js';
import type { Review, Seat } from './reviewer/review.js';
import type { Scenario } from './scenario.js';

/** What the activities of coding and classic mode stand on. */
export interface CodingParts extends WorkParts {
  /** Agents, skills and plugins of a repository, of the user and of this installation. */
  readonly capabilities: (repo: string) => Promise<Discovered>;
  readonly memory: Pick<Memory, 'recall' | 'remember'>;
  readonly patterns: Pick<HealPatterns, 'find' | 'worked' | 'failed'>;
  readonly processes: ProjectProcesses;
}

export interface ProjectProcesses {
  /** Processes of the project that outlived their command or their worker. */
  orphansOf(projectId: string): Promise<number>;
  /** Ends whatever the project left running. */
  endAll(projectId: string): Promise<void>;
}

/** The newest commit whose verification was no worse than the baseline, and the checkpoint that has it. */
export interface GoodTree {
  readonly commit: string;
  readonly checkpoint: number;
}

/** Some pages and decisions are otherwise in work mode. */
export const WORK_MACHINE = 'qralph-work';

/** The cause of what was put off because an implementer changed nothing for it. */
export const UNCHANGED = 'unchanged';

export interface DeferredItem {
  readonly title: string;
  readonly cause: string;
  readonly reason: string;
  readonly problem: string | null;
  readonly task: string | null;
  /** The end of what was printed, where it was no problem with attempts of its own. */
  readonly error?: string;
}

type Known = Pick<ActivityContext, 'context'>;
const read = <T>({ context }: Known, key: string, fallback: T): T =>
  (context[key] as unknown as T | undefined) ?? fallback;

export const codingOrderOf = (scene: Known): CodingOrder => scene.context['order'] as unknown as CodingOrder;
export const teamOf = (scene: Known): Team | null => read<Team | null>(scene, 'team', null);
export const seatsOf = (scene: Known): readonly Seat[] => read<readonly Seat[]>(scene, 'seats', []);
export const reviewsOf = (scene: Known): readonly Review[] => read<readonly Review[]>(scene, 'reviews', []);
export const findingsOf = (scene: Known): readonly Finding[] => read<readonly Finding[]>(scene, 'findings', []);
export const tasksOf = (scene: Known): readonly ProjectTask[] => read<readonly ProjectTask[]>(scene, 'tasks', []);
export const messagesOf = (scene: Known): readonly TeamMessage[] => read<readonly TeamMessage[]>(scene, 'messages', []);
export const problemsOf = (scene: Known): readonly HealProblem[] => read<readonly HealProblem[]>(scene, 'problems', []);
export const scenariosOf = (scene: Known): readonly Scenario[] => read<readonly Scenario[]>(scene, 'scenarios', []);
export const deferredOf = (scene: Known): readonly DeferredItem[] =>
  read<readonly DeferredItem[]>(scene, 'deferred', []);
export const domainsOf = (scene: Known): readonly string[] => read<readonly string[]>(scene, 'domains', []);
export const goodOf = (scene: Known): GoodTree | null => read<GoodTree | null>(scene, 'good', null);

/** The task whose change is in the worktree and not committed yet. */
export const currentOf = (scene: Known): ProjectTask | null =>
  tasksOf(scene).find(({ kind, status }) => kind !== 'review' && status === 'in_progress') ?? null;

/** A command that cut the visit before this one short. */
export function cutShortBy({
  context,
  state,
  visit,
}: Pick<ActivityContext, 'context' | 'state' | 'visit'>): string | null {
  const last = context['command'] as { command?: string; state?: string; visit?: number } | null | undefined;
  return last?.state === state && last.visit === visit - 1 ? (last.command ?? null) : null;
}

/** What a person did at the block that this state was entered from; null where it was entered otherwise. */
export function resolvedBlock({
  context,
  visit,
}: Pick<ActivityContext, 'context' | 'visit'>): { cause: string; decision: string } | null {
  const block = context['block'] as { cause?: string } | null | undefined;
  if (!block?.cause) return null;
  const command = context['command'] as { command?: string; state?: string; visit?: number } | null | undefined;
  if (command?.visit === visit - 1) {
    // One that cut short the visit after the block: the decision has been heeded there.
    return command.state === 'BLOCKED' ? { cause: block.cause, decision: command.command ?? '' } : null;
  }
  const decided = context['decision'] as { gate?: string; decision?: string } | null | undefined;
  if (decided?.gate === 'resolve-problem') return { cause: block.cause, decision: decided.decision ?? '' };
  // A raised cap is neither a command nor a decision at a gate.
  return block.cause === 'budget' ? { cause: 'budget', decision: 'raise' } : null;
}

/** To be patched with whatever leaves a block behind. */
export const unblocked: JsonObject = { block: null, why: null, decision: null, isCutShort: false };

export const listed = (values: readonly object[]): JsonObject[] => values as unknown as JsonObject[];

export const placeOf = ({ project }: Pick<ActivityContext, 'project'>): { repo: string; name: string } => ({
  repo: project.repo?.path ?? '',
  name: project.name,
});

/** How far agents of each kind may go. */
export const LIMITS: Readonly<Record<'review' | 'plan' | 'test', { turns: number; maxOutputTokens: number }>> = {
  review: { turns: 30, maxOutputTokens: 16_000 },
  plan: { turns: 20, maxOutputTokens: 8_000 },
  test: { turns: 30, maxOutputTokens: 8_000 },
};

export const REVIEW_SECONDS: Readonly<Record<Tier, number>> = { small: 120, medium: 300, large: 600 };
