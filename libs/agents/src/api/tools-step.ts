import { type EffectRun, LeaseLost, type SettleRule } from '#engine';
import { errorMessage, OUTCOME_UNKNOWN, UserError, WorldError } from '#kernel';
import type { CommandResult } from '#process-monitor';
import type { Sandbox } from '#workspace';
import type { AgentScene, AgentTask } from '../agent.port.js';
import { GitGuard, snapshotBeside } from '../git-guard.js';
import { readOnlyPlace } from '../read-only-place.js';
import type { KeptCall } from './kept-answer.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import { restore, type Standing } from './standing.js';
import { type CallsDone, type KeptResult, type KeptWrite, ToolCalls } from './tool-calls.js';
import { ToolRefusal } from './tools/refusal.js';
import type { ToolScene } from './tools/tool.js';
import type { Toolbox } from './tools/toolbox.js';

/** The results of a turn's calls, the files it wrote and, where a command may have changed more, the worktree after it. */
export type KeptTurn = {
  readonly results: readonly KeptResult[];
  readonly wrote: readonly KeptWrite[];
  readonly commit: string | null;
  readonly ms: number;
  /** Git's files of the repository that changed meanwhile. */
  readonly touchedGit?: readonly string[];
};

export type KeptEnd = { readonly commit: string; readonly refusal: string | null };

export interface ToolsStep {
  readonly step: string;
  readonly calls: readonly KeptCall[];
  /** The worktree as the turn before left it. */
  readonly before: Standing;
  /** Whether the worktree may stand elsewhere: the turns before were read back, not done here. */
  readonly isResumed: boolean;
  readonly leftMs: number;
  /** What the model can still be told; null where nobody knows. */
  readonly roomTokens: number | null;
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
    return { kind: 'ask', question, options: ['repeat'] };
  }

  private async run(turn: ToolsStep, run: EffectRun): Promise<KeptTurn> {
    const { clock } = this.parts;
    const since = clock.now();
    const scene = this.toolScene(turn, run, since);
    const mayChange = turn.calls.some((call) => this.toolbox.mayChange(call));
    if (turn.isResumed || (run.attempt > 1 && mayChange)) await this.restore(turn.before, scene);
    const mustHold = (): Promise<void> => this.parts.worktrees.mustHold(this.scene.worktree);
    const calls = new ToolCalls(this.toolbox, scene, this.parts, this.task.role, run, mustHold);
    const git = await this.gitBefore(turn);
    let touchedGit: readonly string[] = [];
    let done: CallsDone;
    try {
      done = await calls.perform(turn.calls, turn.roomTokens);
    } finally {
      if (git) touchedGit = await git.guard.restore();
    }
    run.signal.throwIfAborted();
    const kept = await this.kept(turn, done, scene, git?.head ?? null);
    return { ...kept, ms: Math.round(clock.now() - since), ...(touchedGit.length > 0 && { touchedGit }) };
  }

  /** Null where no command can reach git's own files. */
  private async gitBefore({ calls }: ToolsStep): Promise<{ readonly guard: GitGuard; readonly head: string } | null> {
    const { worktree } = this.scene;
    if (this.sandbox.guarantees.hidesFiles || !calls.some((call) => this.toolbox.mayRun(call))) return null;
    return { guard: await GitGuard.of(worktree.folder), head: await this.parts.worktrees.head(worktree) };
  }

  /** Files that cannot be kept (too large, say) are the agent's to mend: the turn is taken back, and it hears why. */
  private async kept(
    turn: ToolsStep,
    done: CallsDone,
    scene: ToolScene,
    head: string | null,
  ): Promise<Omit<KeptTurn, 'ms'>> {
    const { worktrees } = this.parts;
    const { worktree } = this.scene;
    const { results, wrote, mayHaveChanged } = done;
    // The worktree is read-only to commands of a task that only reads, and others may work there.
    if (!mayHaveChanged || this.task.access === 'read') return { results, wrote, commit: null };
    try {
      const commit = head === null ? worktrees.snapshot(worktree) : snapshotBeside(head, worktree, worktrees);
      return { results, wrote: [], commit: await commit };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await this.restore(turn.before, scene);
      const text = `all that this answer changed was taken back: ${error.message}`;
      return { results: results.map(({ callId }) => ({ callId, text, isError: true })), wrote: [], commit: null };
    }
  }

  /** The worktree as the last turn left it, whoever did that turn, as a commit; or why it cannot be kept. */
  async close(before: Standing, isResumed: boolean, run: EffectRun): Promise<KeptEnd> {
    const { worktrees, clock } = this.parts;
    const { worktree } = this.scene;
    if (isResumed) await this.restore(before, this.toolScene({ leftMs: 0 }, run, clock.now()));
    if (before.since.length === 0) return { commit: before.commit, refusal: null };
    try {
      return { commit: await worktrees.snapshot(worktree), refusal: null };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await worktrees.reset(worktree, before.commit);
      return { commit: before.commit, refusal: `what the agent wrote cannot be kept: ${error.message}` };
    }
  }

  /** An agent that only reads has changed nothing, and may share the worktree with others. */
  private async restore(standing: Standing, scene: ToolScene): Promise<void> {
    if (this.task.access === 'write') await restore(standing, this.scene, this.parts, this.toolbox, scene);
  }

  private toolScene({ leftMs }: Pick<ToolsStep, 'leftMs'>, run: EffectRun, since: number): ToolScene {
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
    const place = await this.parts.placeOf(worktree);
    return this.sandbox.run({
      ...(this.task.access === 'read' ? readOnlyPlace(place) : place),
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
