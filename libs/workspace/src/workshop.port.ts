import type { ActivityContext, EffectRun } from '#engine';
import type { SandboxKind } from './sandbox/index.js';
import type { Worktree } from './worktree/index.js';

/** What a project's user asked for about its workspace; whatever is missing is found out from the repository. */
export interface WorkspaceOrder {
  readonly setup?: readonly string[];
  readonly copy?: readonly string[];
  readonly verify?: readonly string[];
  readonly sandbox?: 'auto' | 'limited' | 'none';
}

/** How a command went, as people and agents get to see it. */
export interface CommandReport {
  readonly command: string;
  /** Null when it did not end by itself. */
  readonly exitCode: number | null;
  readonly endedBy: string;
  readonly durationMs: number;
  /** Beginning and end of what it said. */
  readonly output: string;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface VerifyReport {
  /** unproven: everything went well and no test is known to have run. */
  readonly verdict: 'passed' | 'failed' | 'unproven';
  readonly commands: readonly (CommandReport & {
    readonly runner: string | null;
    readonly counts: TestCounts | null;
  })[];
  readonly sandbox: SandboxKind;
}

export type SetupReport =
  | { readonly kind: 'done'; readonly how: string; readonly commands: readonly CommandReport[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly commands: readonly CommandReport[] };

type Project = ActivityContext['project'];

/** Everything a mode does with a project's worktree, short of letting an agent into it. */
export interface Workshop {
  /** The worktree, found as it was left; where it is gone, made again with the files of the given commit. */
  enter(project: Project, commit: string | null, signal: AbortSignal): Promise<Worktree>;
  sandboxKind(order: WorkspaceOrder): SandboxKind;
  setUp(worktree: Worktree, order: WorkspaceOrder, run: EffectRun): Promise<SetupReport>;
  verify(worktree: Worktree, order: WorkspaceOrder, run: EffectRun): Promise<VerifyReport>;
}
