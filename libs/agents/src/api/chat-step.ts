import type { EffectRun } from '#engine';
import { BudgetExceeded, type ChatWish, ModelError, type ModelRef, outputSchema, usdOf } from '#models';
import type { AgentScene, AgentTask } from '../agent.port.js';
import { notesAfter, type ToldNotes } from '../notes/told-notes.js';
import { brief, cleanText } from './bounded-text.js';
import type { Conversation } from './conversation.js';
import { heldTokens, keptAnswer, type Kept, type KeptAnswer } from './kept-answer.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import type { Toolbox } from './tools/toolbox.js';

export interface ChatStep {
  readonly step: string;
  readonly conversation: Conversation;
  readonly purpose: string;
  /** What is left of the task's time. */
  readonly leftMs: number;
  /** A turn of the task, and not what the loop asks for itself: it has the output's shape, and hears notes. */
  readonly isTurn: boolean;
  /** Called where it is really done, not read back. */
  readonly begins: (run: EffectRun) => void;
  /** Called where the call would go past the cap: the task's last chance to keep what it has done. */
  readonly overBudget: (run: EffectRun) => Promise<void>;
  /** Told as soon as the answer is there. */
  readonly tells?: (answer: KeptAnswer, run: EffectRun) => void;
}

/** Of a provider, in an event. */
const LONGEST_WORDS = 500;

/** One call of the model, as an effect: a finished one is read back, and never paid again. */
export class Chats {
  /** The notes that the task was told, as they were. */
  readonly heard: string[] = [];

  constructor(
    private readonly parts: ApiRuntimeParts,
    private readonly task: AgentTask,
    private readonly scene: AgentScene,
    private readonly toolbox: Toolbox,
    private readonly system: string,
  ) {}

  async perform(chat: ChatStep): Promise<Kept> {
    const { activity } = this.scene;
    const kept = await activity.effect<Kept>({
      step: chat.step,
      settle: { kind: 'repeat' },
      run: (run) => {
        chat.begins(run);
        return this.timed(chat, run);
      },
    });
    if (kept.kind === 'answered' && kept.notes) this.heard.push(kept.notes.text);
    return kept;
  }

  /**
   * The time counts from the first sending to the answer and is kept with it: after a crash the same time has passed.
   * What a call waits for room in the budget is not the task's: others hold it.
   */
  private async timed(chat: ChatStep, run: EffectRun): Promise<Kept> {
    const { clock } = this.parts;
    let since: number | null = null;
    const passedMs = (): number => (since === null ? 0 : Math.round(clock.now() - since));
    const over = new AbortController();
    const answered = new AbortController();
    const onSend = (): void => {
      if (since !== null) return;
      since = clock.now();
      void clock.sleep(chat.leftMs, answered.signal).then(() => {
        if (!answered.signal.aborted) over.abort();
      });
    };
    try {
      // Read within the effect: the outcome keeps what was told, so that a replay tells the same.
      const notes = chat.isTurn ? await this.notesFor(chat, run) : null;
      const wish = this.wishOf(chat, run, notes);
      const signal = AbortSignal.any([run.signal, over.signal]);
      const onBytes = this.signOfLife(chat, run);
      const onFailure = (ref: ModelRef, error: ModelError): void => this.tellFailure(ref, error, chat, run);
      const answer = await this.parts.desk.chat(wish, { signal, onSend, onBytes, onFailure });
      const kept = { ...keptAnswer(answer, wish, passedMs()), ...(notes && { notes }) };
      this.tell(kept, chat, run);
      return kept;
    } catch (error) {
      if (over.signal.aborted && !run.signal.aborted) return { kind: 'timed-out', ms: passedMs() };
      if (error instanceof BudgetExceeded) {
        run.tell('budget.exceeded', { role: this.task.role, ...error.breaker }, true);
        await chat.overBudget(run);
      }
      if (error instanceof ModelError && error.code === 'MODEL_CONTEXT_EXCEEDED') {
        return { kind: 'too-long', ms: passedMs(), words: brief(cleanText(error.message, this.parts.redactor), 500) };
      }
      throw error;
    } finally {
      answered.abort();
    }
  }

  /** Whoever watches can tell a long answer from none. */
  private signOfLife({ purpose }: ChatStep, run: EffectRun): (bytes: number) => void {
    const { clock, limits } = this.parts;
    const { role } = this.task;
    let toldAt: number | null = null;
    return (bytes) => {
      toldAt ??= clock.now();
      if (clock.now() - toldAt < limits.answeringMs) return;
      toldAt = clock.now();
      run.tell('model.answering', { role, purpose, bytes });
    };
  }

  /** A failure that a retry or another model mends would be seen by nobody else. */
  private tellFailure(ref: ModelRef, error: ModelError, { purpose }: ChatStep, run: EffectRun): void {
    const { code, remedy, details } = error;
    const said = typeof details['words'] === 'string' ? details['words'] : '';
    const words = brief(cleanText(said || error.message, this.parts.redactor), LONGEST_WORDS);
    run.tell('model.failed', { role: this.task.role, purpose, ...ref, code, words, remedy });
  }

  private notesFor({ conversation }: ChatStep, { lease }: EffectRun): Promise<ToldNotes | null> {
    const { notes, redactor } = this.parts;
    const { projectId } = lease;
    return notesAfter(notes, redactor, {
      projectId,
      role: this.task.role,
      seen: conversation.notesUpTo,
      room: conversation.notesRoom,
    });
  }

  private wishOf(
    { conversation, purpose, leftMs, isTurn }: ChatStep,
    run: EffectRun,
    notes: ToldNotes | null,
  ): ChatWish {
    const { task, parts, scene } = this;
    const { role, attempt, tier, models, output, limits, promptVersion: prompt = null } = task;
    const effect = { key: run.key, run: run.attempt };
    return {
      tier,
      ...(models && { models }),
      ...(conversation.pinned && { pinned: conversation.pinned }),
      ...(conversation.known && { known: conversation.known }),
      ...(isTurn && output && { output: { name: output.name, schema: outputSchema(output.type).schema } }),
      system: this.system,
      messages: [...conversation.messages, ...(notes ? [{ role: 'user' as const, text: notes.text }] : [])],
      tools: this.toolbox.specs,
      maxOutputTokens: limits.maxOutputTokens,
      timeoutMs: Math.min(parts.limits.chatMs, leftMs),
      idleMs: parts.limits.idleMs,
      about: { lease: run.lease, state: scene.activity.state, agent: role, purpose, prompt, attempt, tier, effect },
    };
  }

  private tell(answer: KeptAnswer, chat: ChatStep, run: EffectRun): void {
    const { ref, usage, heldAtMost, cost, isSimulated, stop, ms } = answer;
    run.tell('model.called', {
      role: this.task.role,
      purpose: chat.purpose,
      ...ref,
      stop,
      tokens: heldAtMost === undefined ? usage : null,
      costUsd: cost === null ? null : usdOf(BigInt(cost)),
      simulated: isSimulated,
      ms,
    });
    for (const note of answer.notes?.told ?? []) {
      run.tell('note.delivered', { ...note, role: this.task.role, purpose: chat.purpose, call: run.key }, true);
      this.parts.notes.reached?.();
    }
    const share = chat.conversation.warning(answer);
    if (share !== null) {
      const { contextTokens } = answer;
      run.tell('context.warning', {
        role: this.task.role,
        usedTokens: heldTokens(answer),
        contextTokens,
        percent: Math.round(share * 100),
      });
    }
    chat.tells?.(answer, run);
  }
}
