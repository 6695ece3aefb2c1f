import { type EffectRun, LeaseLost, type SettleRule } from '#engine';
import { errorMessage, OUTCOME_UNKNOWN, UserError, WorldError } from '#kernel';
import type { CommandResult } from '#process-monitor';
import type { Sandbox } from '#workspace';
import type { AgentScene, AgentTask } from '../agent.port.js';
import type { KeptCall } from './kept-answer.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import { type KeptResult, ToolCalls } from './tool-calls.js';
import { ToolRefusal } from './tools/refusal.js';
import type { ToolScene } from './tools/tool.js';
import type { Toolbox } from './tools/toolbox.js';

/** The results of a turn's calls, and the worktree after it where it may have changed. */
export type KeptTurn = {
  readonly results: readonly KeptResult[];
  readonly commit: string | null;
  readonly ms: number;
};

export interface ToolsStep {
  readonly step: string;
  readonly calls: readonly KeptCall[];
  /** The worktree as the turn before left it. */
  readonly before: string;
  /** Whether the worktree may stand elsewhere: the turns before were read back, not done here. */
  readonly isResumed: boolean;
  readonly leftMs: number;
  readonly contextTokens: number;
  /** Called where it is really done, not read back. */
  readonly begins: () => void;
}

/**
 * All tool calls of one answer, as one effect. Repeating it begins with the worktree as it was before, so a half-done
 * turn leaves no trace.
 */
export class Turns {
  private readonly sandbox: Sandbox;

  constructor(
    private readonly parts: ApiRuntimeParts,
    private readonly task: AgentTask,
    private readonly scene: AgentScene,
    private readonly toolbox: Toolbox,
  ) {
    const { sandbox } = parts;
    this.sandbox = scene.sandbox ?? sandbox;
  }

  perform(turn: ToolsStep): Promise<KeptTurn> {
    const settle = this.settleRule(turn);
    const run = async (effectRun: EffectRun): Promise<KeptTurn> => {
      turn.begins();
      try {
        return await this.run(turn, effectRun);
      } catch (error) {
        // What a command did outside of the worktree cannot be taken back: failed is not the same as not done.
        if (settle.kind !== 'ask' || effectRun.signal.aborted || error instanceof LeaseLost) throw error;
        throw new WorldError(OUTCOME_UNKNOWN, errorMessage(error), {}, { cause: error });
      }
    };
    return this.scene.activity.effect<KeptTurn>({ step: turn.step, settle, run });
  }

  private settleRule({ calls }: ToolsStep): SettleRule<KeptTurn> {
    const commands = calls.filter((call) => this.toolbox.mayRun(call));
    const { hidesFiles, cutsNetwork } = this.sandbox.guarantees;
    if (commands.length === 0 || (hidesFiles && cutsNetwork)) return { kind: 'repeat' };
    const { role } = this.task;
    const question = `${role} was running commands outside of a full sandbox when its worker ended; nobody knows what they did. Repeat them?`;
    return { kind: 'ask', question };
  }

  private async run(turn: ToolsStep, run: EffectRun): Promise<KeptTurn> {
    const { clock, worktrees } = this.parts;
    const { worktree } = this.scene;
    const since = clock.now();
    const mayChange = turn.calls.some((call) => this.toolbox.mayChange(call));
    const isElsewhere = turn.isResumed || (run.attempt > 1 && mayChange);
    if (isElsewhere && this.task.access === 'write') await worktrees.reset(worktree, turn.before);
    const calls = new ToolCalls(this.toolbox, this.toolScene(turn, run, since), this.parts, this.task.role, run);
    const { results, hasChanged } = await calls.perform(turn.calls, turn.contextTokens);
    run.signal.throwIfAborted();
    const kept = hasChanged ? await this.kept(turn, results) : { results, commit: null };
    return { ...kept, ms: Math.round(clock.now() - since) };
  }

  /** Files that cannot be kept (too large, say) are the agent's to mend: the turn is taken back, and it hears why. */
  private async kept(turn: ToolsStep, results: readonly KeptResult[]): Promise<Omit<KeptTurn, 'ms'>> {
    const { worktrees } = this.parts;
    const { worktree } = this.scene;
    try {
      return { results, commit: await worktrees.snapshot(worktree) };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await worktrees.reset(worktree, turn.before);
      const text = `all that this answer changed was taken back: ${error.message}`;
      return { results: results.map(({ callId }) => ({ callId, text, isError: true })), commit: null };
    }
  }

  private toolScene({ leftMs }: ToolsStep, run: EffectRun, since: number): ToolScene {
    const { limits, redactor, matcher, clock } = this.parts;
    const now = (): number => clock.now();
    return {
      root: this.scene.worktree.folder,
      limits,
      redactor,
      matcher,
      signal: run.signal,
      now,
      shell: (command, timeoutMs) => this.shell(command, Math.min(timeoutMs, leftMs - (now() - since)), run),
    };
  }

  private async shell(command: string, timeoutMs: number, { lease, signal }: EffectRun): Promise<CommandResult> {
    const { limits } = this.parts;
    if (timeoutMs < 1) throw new ToolRefusal("not run: the task's time is over");
    const { worktree } = this.scene;
    return this.sandbox.run({
      ...(await this.parts.placeOf(worktree)),
      file: 'sh',
      args: ['-c', command],
      cwd: worktree.folder,
      network: 'none',
      lease,
      signal,
      purpose: `agent:${this.task.role}`,
      timeoutMs: Math.floor(timeoutMs),
      limits: {
        outputBytes: limits.commandOutputBytes,
        memoryBytes: limits.commandMemoryBytes,
        processes: limits.commandProcesses,
      },
    });
  }
}
