import type { ActivityContext, Report } from '#engine';
import { report } from '#engine';
import type { AgentRuntime } from '#agents';
import type { Json, JsonObject } from '#kernel';
import type { ModelDesk, Tier } from '#models';
import type { ArtefactDesk, VerifyReport, WorkspaceOrder, Workshop, Worktree, Worktrees } from '#workspace';

/** What the activities of an errand work with. */
export interface ErrandParts {
  readonly workshop: Workshop;
  readonly worktrees: Worktrees;
  readonly desk: Pick<ModelDesk, 'candidates'>;
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly artefacts: ArtefactDesk;
}

/** What the errand was asked for beside its request. */
export interface ErrandOrder extends WorkspaceOrder {
  readonly runtime: string;
  readonly models?: Readonly<Partial<Record<Tier, string>>>;
  readonly tier: Tier;
  readonly turns: number;
  readonly minutes: number;
}

export type Scene = Pick<ActivityContext, 'project' | 'context' | 'signal'>;

export const orderOf = ({ context }: Pick<Scene, 'context'>): ErrandOrder => context['order'] as unknown as ErrandOrder;
export const commitOf = ({ context }: Pick<Scene, 'context'>): string | null =>
  (context['commit'] as string | undefined) ?? null;
export const baselineOf = ({ context }: Pick<Scene, 'context'>): VerifyReport | null =>
  (context['baseline'] as unknown as VerifyReport | undefined) ?? null;

/** What readers of the project are shown of its workspace: short values that every checkpoint carries along. */
export const shown = ({ branch, baseCommit }: Worktree, commit: string): JsonObject => ({ branch, baseCommit, commit });

/** The errand cannot go on by itself: `cause` decides how the block may be left, the rest is for people. */
export const blocked = (cause: string, message: string, more: JsonObject = {}, patch: JsonObject = {}): Report =>
  report('work:blocked', { ...patch, block: { cause, message, ...more } }, { cause, message: message.slice(0, 2_000) });

/** A value whose type has no index signature, as JSON: it came from our own code and holds nothing else. */
export const asJson = (value: object): Json => value as unknown as Json;
