import type { Goal } from '#contracts';
import type { ActivityContext } from '#engine';
import type { AgentRuntime } from '#agents';
import type { Json, JsonObject } from '#kernel';
import type { ModelDesk, Tier } from '#models';
import type { ArtefactDesk, VerifyReport, WorkspaceOrder, Workshop, Worktree, Worktrees } from '#workspace';
import type { ProjectHistory } from '../history.js';

/** What activities that let agents work on a repository stand on. */
export interface WorkParts {
  readonly workshop: Workshop;
  readonly worktrees: Worktrees;
  readonly desk: Pick<ModelDesk, 'candidates'>;
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly artefacts: ArtefactDesk;
  readonly history: ProjectHistory;
}

/** What was asked for beside the request. */
export interface WorkOrder extends WorkspaceOrder {
  readonly runtime: string;
  readonly models?: Readonly<Partial<Record<Tier, string>>>;
  readonly tier: Tier;
  readonly turns: number;
  readonly minutes: number;
  /** `green`: every failure of the baseline is in scope. Projects of an older release have no goal. */
  readonly goal?: Goal | null;
}

export type Scene = Pick<ActivityContext, 'project' | 'context' | 'signal'>;

export const orderOf = ({ context }: Pick<Scene, 'context'>): WorkOrder => context['order'] as unknown as WorkOrder;
export const commitOf = ({ context }: Pick<Scene, 'context'>): string | null =>
  (context['commit'] as string | undefined) ?? null;
export const baselineOf = ({ context }: Pick<Scene, 'context'>): VerifyReport | null =>
  (context['baseline'] as unknown as VerifyReport | undefined) ?? null;

/** What readers of the project are shown of its workspace: short values that every checkpoint carries along. */
export const shown = ({ branch, baseCommit }: Worktree, commit: string): JsonObject => ({ branch, baseCommit, commit });

/** A value whose type has no index signature, as JSON: it came from our own code and holds nothing else. */
export const asJson = (value: object): Json => value as unknown as Json;
