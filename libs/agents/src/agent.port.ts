import type { ActivityContext } from '#engine';
import type { Json, JsonObject } from '#kernel';
import type { Shape, Tier, Usage } from '#models';
import type { Sandbox, SandboxGuarantees, Worktree } from '#workspace';

/**
 * Agents as an activity sees them. Glossary:
 * - runtime: what an agent runs on: `api` (our own tool loop over a model) or a CLI (`claude`, `codex`, …).
 * - task: what one agent is asked to do, once. A heal attempt is a new task, and a new conversation.
 * - outcome: how a task ended. Each way is a value; an exception is a fault of the engine or a lost lease.
 * - promise: a tag that the agent's last message may carry on a line of its own, such as <promise>COMPLETE</promise>.
 */
export interface AgentTask {
  /** Unique within the visit; the steps of all its effects begin with it. */
  readonly step: string;
  readonly role: string;
  readonly purpose: string;
  readonly attempt: number;
  readonly tier: Tier;
  /** Models that the project's user asked for by tier, as `provider:model`. */
  readonly models?: Readonly<Partial<Record<Tier, string>>>;
  readonly system: string;
  readonly prompt: string;
  /** Which prompt it is, and which version of it, such as `review@1`: kept with each call, so that versions compare. */
  readonly promptVersion?: string;
  readonly access: 'read' | 'write';
  /** Whether the agent may run commands in the sandbox: see `runsCommands`. */
  readonly mayRun: boolean;
  /** Of the tools that its access gives it, those it may use; all of them where unset. CLIs have tools of their own. */
  readonly tools?: readonly string[];
  /** The final message is to be JSON of this shape; one that can be asked of a model (see `outputSchema`). */
  readonly output?: Shape;
  /** Tags that count. */
  readonly promises?: readonly string[];
  readonly limits: AgentLimits;
}

/**
 * Whether a task has a tool that runs commands. A task that only reads has it if the sandbox keeps its commands from
 * files and network: they see the worktree read-only. `codex` has no other way to read, so it always runs commands.
 */
export const runsCommands = (
  { access, mayRun }: Pick<AgentTask, 'access' | 'mayRun'>,
  { hidesFiles, cutsNetwork }: Pick<SandboxGuarantees, 'hidesFiles' | 'cutsNetwork'>,
): boolean => mayRun && (access === 'write' || (hidesFiles && cutsNetwork));

export interface AgentLimits {
  readonly turns: number;
  readonly wallMs: number;
  readonly maxOutputTokens: number;
}

/** What a task works in and under. */
export interface AgentScene {
  readonly activity: ActivityContext;
  readonly worktree: Worktree;
  /** The commit that the worktree stood at when the task began. */
  readonly startCommit: string;
  /** Where its commands run; the runtime's own sandbox where unset. */
  readonly sandbox?: Sandbox;
}

/** What a CLI said of itself, beside what its calls really took. The ledger is right; the rest is for whoever wonders. */
export type RunReport = {
  readonly reported: { readonly usage: Json; readonly costUsd: number | null };
  readonly metered: {
    readonly calls: number;
    readonly usage: { readonly [Class in keyof Usage]: number };
    /** Whole nano-dollars of the calls whose cost is known. */
    readonly costNanoUsd: string;
    readonly unknownCosts: number;
  };
  /** All that it printed, redacted: a file below the folder of transcripts. */
  readonly transcript: {
    readonly file: string;
    readonly sha256: string;
    readonly bytes: number;
    readonly isCut: boolean;
  };
};

/** The last command that an agent ran, and how it ended; both bounded and redacted. */
export type LastCommand = { readonly command: string; readonly result: string };

export type WaitReason = 'rate-limit' | 'budget-busy';

export type AgentOutcome =
  | {
      readonly kind: 'finished';
      readonly text: string;
      readonly output: Json;
      readonly promise: string | null;
      readonly turns: number;
      /** The worktree as the agent left it: a commit beside the branch. */
      readonly commit: string;
      readonly isSimulated: boolean;
      readonly report?: RunReport;
    }
  /**
   * The project has to wait for a provider, or for calls under way that hold the rest of its budget. Run again, the task
   * goes on from where it was on the runtime `api`; a CLI begins a new run, from the files that the last one left.
   */
  | { readonly kind: 'waits'; readonly reason: WaitReason; readonly ms: number; readonly words: string }
  | {
      readonly kind: 'over-budget';
      readonly breaker: JsonObject;
      /** The worktree as it stands: with what the agent did before. The next task goes on from there. */
      readonly commit: string;
      readonly isSimulated: boolean;
    }
  | {
      readonly kind: 'failed';
      /** AGENT_… or MODEL_…: what a person or the ladder decides by. */
      readonly code: string;
      readonly message: string;
      /** What the agent had said until then, redacted: the end of it, '' where it said nothing. */
      readonly said: string;
      /** Its last message alone, where nothing was wrong but the shape of it. */
      readonly text?: string;
      /** Undefined if it ran none, or if the runtime does not know it. */
      readonly lastCommand?: LastCommand;
      readonly commit: string;
      readonly isSimulated: boolean;
      readonly report?: RunReport;
    };

export interface AgentRuntime {
  readonly name: string;
  /** Null when a task can be run; else why not and what to do, such as the line that installs a missing CLI. */
  unavailable(models?: AgentTask['models']): Promise<string | null>;
  run(task: AgentTask, scene: AgentScene): Promise<AgentOutcome>;
}
