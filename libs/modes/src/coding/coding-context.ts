import type { Finding, HealProblem, ProjectTask, Team, TeamMessage } from '#contracts';
import type { Discovered } from '#discovery';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Memory } from '#memory';
import type { HealPatterns } from '#self-heal';
import type { Tier } from '#models';
import type { WorkParts } from '../shared/work-parts.js';
import { type CodingContext, contextOf, type DeferredItem } from './context.js';
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
  readonly budgets: BudgetUse;
}

export interface BudgetUse {
  /** The used part of the cap in money or in tokens, whichever is more: 0.5 is half of it. 0 if there is no cap. */
  usedShare(projectId: string): Promise<number>;
}

export interface ProjectProcesses {
  /** Processes of the project that outlived their command or their worker. */
  orphansOf(projectId: string): Promise<number>;
  /** Ends whatever the project left running. */
  endAll(projectId: string): Promise<void>;
}

/** Some pages and decisions are otherwise in work mode. */
export const WORK_MACHINE = 'qralph-work';

/** The cause of what was put off because an implementer changed nothing for it. */
export const UNCHANGED = 'unchanged';

type Known = Pick<ActivityContext, 'context'>;
type GoodTree = NonNullable<CodingContext['good']>;

export const codingOrderOf = (scene: Known): CodingOrder => contextOf(scene).order;
export const teamOf = (scene: Known): Team | null => contextOf(scene).team ?? null;
export const seatsOf = (scene: Known): readonly Seat[] => contextOf(scene).seats ?? [];
export const reviewsOf = (scene: Known): readonly Review[] => contextOf(scene).reviews ?? [];
/** Findings that an older release stored say nothing about their relation to the request. */
export const findingsOf = (scene: Known): readonly Finding[] =>
  (contextOf(scene).findings ?? []).map((finding) => ({ ...finding, relation: finding.relation ?? 'aside' }));
export const tasksOf = (scene: Known): readonly ProjectTask[] => contextOf(scene).tasks ?? [];
export const messagesOf = (scene: Known): readonly TeamMessage[] => contextOf(scene).messages ?? [];
export const problemsOf = (scene: Known): readonly HealProblem[] => contextOf(scene).problems ?? [];
export const scenariosOf = (scene: Known): readonly Scenario[] => contextOf(scene).scenarios ?? [];
export const deferredOf = (scene: Known): readonly DeferredItem[] => contextOf(scene).deferred ?? [];
export const domainsOf = (scene: Known): readonly string[] => contextOf(scene).domains ?? [];
export const goodOf = (scene: Known): GoodTree | null => contextOf(scene).good ?? null;

/** The task whose change is in the worktree and not committed yet. */
export const currentOf = (scene: Known): ProjectTask | null =>
  tasksOf(scene).find(({ kind, status }) => kind !== 'review' && status === 'in_progress') ?? null;

/** A command that cut the visit before this one short. */
export function cutShortBy({
  context,
  state,
  visit,
}: Pick<ActivityContext, 'context' | 'state' | 'visit'>): string | null {
  const last = contextOf({ context }).command;
  return last?.state === state && last.visit === visit - 1 ? (last.command ?? null) : null;
}

/** What a person did at the block that this state was entered from; null where it was entered otherwise. */
export function resolvedBlock({
  context,
  visit,
}: Pick<ActivityContext, 'context' | 'visit'>): { cause: string; decision: string } | null {
  const { block, command, decision: decided } = contextOf({ context });
  if (!block?.cause) return null;
  if (command?.visit === visit - 1) {
    // One that cut short the visit after the block: the decision has been heeded there.
    return command.state === 'BLOCKED' ? { cause: block.cause, decision: command.command ?? '' } : null;
  }
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
