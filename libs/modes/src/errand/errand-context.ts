import type { ActivityContext, Report } from '#engine';
import { report } from '#engine';
import type { AgentRuntime } from '#agents';
import type { Json, JsonObject } from '#kernel';
import type { ModelDesk, Tier } from '#models';
import type { ProjectHistory } from '../history.js';
import type { ArtefactDesk, VerifyReport, WorkspaceOrder, Workshop, Worktree, Worktrees } from '#workspace';

/** What the activities of an errand work with. */
export interface ErrandParts {
  readonly workshop: Workshop;
  readonly worktrees: Worktrees;
  readonly desk: Pick<ModelDesk, 'candidates'>;
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly artefacts: ArtefactDesk;
  readonly history: ProjectHistory;
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

export interface Block {
  /** Decides how the block may be left. */
  readonly cause: 'setup' | 'agent' | 'budget';
  readonly message: string;
  readonly code?: string;
  readonly output?: string;
}

const LONGEST_MESSAGE = 2_000;
const LONGEST_OUTPUT = 4_000;

/** The errand cannot go on by itself. `why` is what a person is shown at the gate: the end of an output says most. */
export function blocked(block: Block, patch: JsonObject = {}): Report {
  const message = block.message.slice(0, LONGEST_MESSAGE);
  const why = block.output ? `${message}\n\n${block.output.slice(-LONGEST_OUTPUT)}` : message;
  return report('work:blocked', { ...patch, block: { ...block }, why }, { cause: block.cause, message });
}

export const blockedBySetup = ({ reason, output }: { readonly reason: string; readonly output: string }): Report =>
  blocked({ cause: 'setup', message: reason, output });

/** A value whose type has no index signature, as JSON: it came from our own code and holds nothing else. */
export const asJson = (value: object): Json => value as unknown as Json;
