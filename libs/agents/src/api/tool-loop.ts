import type { EffectRun } from '#engine';
import type { AgentOutcome, AgentScene, AgentTask, LastCommand } from '../agent.port.js';
import { promiseIn } from '../promise-tag.js';
import { Said } from '../said.js';
import { brief, cleanText } from './bounded-text.js';
import { Chats } from './chat-step.js';
import { Conversation } from './conversation.js';
import { checkedOutput, isSilent, SILENT } from './final-output.js';
import { heldTokens, type Kept, type KeptAnswer, type KeptTooLong, roomAfter } from './kept-answer.js';
import { lastCommandOf } from './last-command.js';
import { limitWarning } from './limit-warning.js';
import { continued, CUT_CALL, CUT_SHORT, NO_SUMMARY, repair, SUMMARISE } from './prompts.js';
import { redactedJson } from './redacted-json.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import type { KeptResult } from './tool-calls.js';
import type { WriteDone } from './standing.js';
import { CUT_TWICE, type End, outOfTime, outOfTurns, refusedByModel, touchedGitEnd } from './task-end.js';
import { type KeptEnd, type KeptTurn, Turns } from './tools-step.js';
import { FINISH, readFinish } from './tools/finish.js';
import { Toolbox } from './tools/toolbox.js';

/**
 * One agent at one task. Each turn is a chat and, where the answer calls tools, one step of tools. What it does next
 * follows from the outcomes of its effects alone: run again after a crash, it reads those back and comes to where it was.
 */
export class ToolLoop {
  private readonly prompt: string;
  private readonly system: string;
  private readonly chats: Chats;
  private readonly turns: Turns;
  private conversation: Conversation;
  private turn = 0;
  private spentMs = 0;
  private cuts = 0;
  private repairs = 0;
  private standing: { commit: string; since: WriteDone[] };
  private readonly said = new Said();
  private lastCommand: LastCommand | null = null;
  private isSimulated = false;
  /** Whether turns were read back and the worktree has not been brought to where they left it. */
  private isResumed = false;

  constructor(
    private readonly parts: ApiRuntimeParts,
    private readonly task: AgentTask,
    private readonly scene: AgentScene,
  ) {
    const toolbox = new Toolbox(task, (scene.sandbox ?? parts.sandbox).guarantees);
    this.prompt = cleanText(task.prompt, parts.redactor);
    this.conversation = new Conversation(this.prompt);
    this.system = cleanText(task.system, parts.redactor);
    this.chats = new Chats(parts, task, scene, toolbox, this.system);
    this.turns = new Turns(parts, task, scene, toolbox);
    this.standing = { commit: scene.startCommit, since: [] };
  }

  async run(): Promise<AgentOutcome> {
    let end: End | null = null;
    while (end === null) end = this.pastLimit() ?? (await this.takeTurn());
    return this.ended(end);
  }

  /** What a task that cannot go on has come to. */
  fails(code: string, message: string): Promise<AgentOutcome> {
    return this.ended({ kind: 'failed', code, message });
  }

  /** The worktree as its last turn left it; as a commit, once the budget has ended the task. */
  get leaves(): { readonly commit: string; readonly isSimulated: boolean } {
    return { commit: this.standing.commit, isSimulated: this.isSimulated };
  }

  private async leave(run: EffectRun): Promise<void> {
    const { commit } = await this.turns.close(this.standing, this.isResumed || run.attempt > 1, run);
    this.standing = { commit, since: [] };
  }

  private pastLimit(): End | null {
    const { turns, wallMs } = this.task.limits;
    if (this.spentMs >= wallMs) return outOfTime(wallMs);
    return this.turn < turns ? null : outOfTurns(turns);
  }

  private async takeTurn(): Promise<End | null> {
    if (this.conversation.isNearlyFull) return this.summarise();
    this.warnOfLimits();
    this.turn += 1;
    const answer = await this.chat('chat', this.task.purpose);
    if (answer.kind === 'timed-out') return outOfTime(this.task.limits.wallMs);
    if (answer.kind === 'too-long') return this.goOnAfresh(answer);
    this.conversation.answered(answer);
    if (answer.stop === 'refused') return refusedByModel(answer);
    if (answer.stop === 'length') return this.cut(answer);
    this.cuts = 0;
    return answer.toolCalls.length === 0 ? this.lastMessage(answer) : this.useTools(answer);
  }

  /** Once in each conversation. It follows from the journal alone, so a replay says the same at the same place. */
  private warnOfLimits(): void {
    if (this.conversation.isToldOfLimits) return;
    const warning = limitWarning({ turns: this.turn, ms: this.spentMs }, this.task.limits);
    if (warning === null) return;
    this.conversation.say(warning);
    this.conversation.isToldOfLimits = true;
  }

  private async chat(
    part: string,
    purpose: string,
    tells?: (answer: KeptAnswer, run: EffectRun) => void,
  ): Promise<Kept> {
    let isReadBack = true;
    const answer = await this.chats.perform({
      step: this.stepOf(part),
      conversation: this.conversation,
      purpose,
      leftMs: this.leftMs,
      isTurn: part === 'chat',
      overBudget: (run) => this.leave(run),
      begins: (run) => {
        isReadBack = false;
        if (this.turn === 1 && run.attempt === 1) this.tellStart(run);
      },
      ...(tells && { tells }),
    });
    this.isResumed ||= isReadBack;
    this.spentMs += answer.ms;
    if (answer.kind !== 'answered') return answer;
    this.isSimulated ||= answer.isSimulated;
    this.said.add(answer.text);
    return answer;
  }

  private async useTools(answer: KeptAnswer): Promise<End | null> {
    let isReadBack = true;
    const turn = await this.turns.perform({
      step: this.stepOf('tools'),
      calls: answer.toolCalls,
      before: this.standing,
      isResumed: this.isResumed,
      leftMs: this.leftMs,
      roomTokens: roomAfter(answer, this.task.limits.maxOutputTokens),
      begins: () => (isReadBack = false),
    });
    this.isResumed = isReadBack;
    this.spentMs += turn.ms;
    this.stand(answer, turn);
    this.lastCommand = lastCommandOf(answer.toolCalls, turn.results, this.parts.redactor) ?? this.lastCommand;
    this.conversation.giveResults(turn.results);
    return touchedGitEnd(turn) ?? this.finish(answer, turn.results);
  }

  private stand({ toolCalls }: KeptAnswer, { commit, wrote }: KeptTurn): void {
    if (commit !== null) this.standing = { commit, since: [] };
    for (const { nth, path, hash } of wrote) {
      const call = toolCalls[nth];
      if (call) this.standing.since.push({ call, path, hash });
    }
  }

  /** Whether one of the calls ended the task. One with an output of another shape is refused, and may be mended once. */
  private finish(answer: KeptAnswer, results: readonly KeptResult[]): End | null {
    for (const [nth, call] of answer.toolCalls.entries()) {
      const given = call.name === FINISH ? readFinish(call.input) : null;
      if (!given) continue;
      const result = checkedOutput(this.task.output, given.output ?? given.summary);
      if ('problem' in result) {
        const output =
          given.output === undefined ? '' : JSON.stringify(redactedJson(given.output, this.parts.redactor));
        this.said.add(given.summary);
        this.said.add(output);
        return this.mend(result.problem, output || given.summary);
      }
      if (results[nth]?.isError !== false) continue;
      const said = `${answer.text}\n\n${given.summary}`;
      return {
        kind: 'finished',
        text: given.summary.trim() === '' ? answer.text : given.summary,
        said,
        output: result.output,
      };
    }
    return null;
  }

  private lastMessage({ text }: KeptAnswer): End | null {
    const result = checkedOutput(this.task.output, text);
    if ('output' in result) return { kind: 'finished', text, said: text, output: result.output };
    const end = this.mend(result.problem, text);
    if (end === null) this.conversation.say(repair(result.problem));
    return end;
  }

  private mend(problem: string, text: string): End | null {
    this.repairs += 1;
    return this.repairs === 1 ? null : { kind: 'failed', code: 'AGENT_OUTPUT_INVALID', message: problem, text };
  }

  private cut({ toolCalls }: KeptAnswer): End | null {
    this.cuts += 1;
    if (this.cuts > 1) return CUT_TWICE;
    if (toolCalls.length === 0) this.conversation.say(CUT_SHORT);
    else this.conversation.giveResults(toolCalls.map(({ id }) => ({ callId: id, text: CUT_CALL, isError: true })));
    return null;
  }

  /** The old conversation ends with a summary, and a fresh one begins with it. */
  private async summarise(): Promise<End | null> {
    this.turn += 1;
    this.conversation.say(SUMMARISE);
    const answer = await this.chat('summary', 'summary', (given, run) =>
      run.tell('context.summarised', {
        role: this.task.role,
        usedTokens: heldTokens(given),
        contextTokens: given.contextTokens,
      }),
    );
    if (answer.kind === 'timed-out') return outOfTime(this.task.limits.wallMs);
    if (answer.kind === 'too-long') return this.goOnAfresh(answer);
    if (answer.stop === 'refused') return refusedByModel(answer);
    const notes = cleanText(answer.text, this.parts.redactor).trim() || NO_SUMMARY;
    this.conversation = new Conversation(continued(this.prompt, notes));
    return null;
  }

  /** What was said is lost, what was done is in the files. One that is too long from its beginning cannot be helped. */
  private goOnAfresh({ words }: KeptTooLong): End | null {
    if (this.conversation.isFresh) return { kind: 'failed', code: 'MODEL_CONTEXT_EXCEEDED', message: words };
    this.conversation = new Conversation(continued(this.prompt, NO_SUMMARY));
    return null;
  }

  /** Says how the task ended, and leaves the worktree as its last turn left it, as a commit. */
  private async ended(end: End): Promise<AgentOutcome> {
    const { redactor } = this.parts;
    const { turn: turns, isSimulated } = this;
    const kept = await this.close(end);
    const { commit } = kept;
    const judged = this.judged(end, kept);
    if (judged.kind === 'failed') {
      const { code } = judged;
      const message = cleanText(judged.message, redactor);
      const text = judged.text === undefined ? {} : { text: cleanText(judged.text, redactor) };
      const said = this.said.clean(redactor);
      const ran = this.lastCommand && { lastCommand: this.lastCommand };
      return { kind: 'failed', code, message, said, ...text, ...ran, commit, isSimulated };
    }
    const promise = promiseIn(judged.said, this.task.promises ?? [], [this.prompt, this.system, ...this.chats.heard]);
    const output = redactedJson(judged.output, redactor);
    return { kind: 'finished', text: cleanText(judged.text, redactor), output, promise, turns, commit, isSimulated };
  }

  /** An end that the agent thinks well of counts with what it left: files that can be kept, a change or a word. */
  private judged(end: End, { commit, refusal }: KeptEnd): End {
    if (end.kind === 'failed') return end;
    if (refusal !== null) return { kind: 'failed', code: 'AGENT_FILES_REFUSED', message: refusal };
    const hasChanged = commit !== this.scene.startCommit;
    return isSilent(this.task, end, hasChanged) ? { kind: 'failed', ...SILENT } : end;
  }

  private close(end: End): Promise<KeptEnd> {
    const { role, purpose, attempt } = this.task;
    const { standing, isResumed, turn: turns, isSimulated: simulated } = this;
    return this.scene.activity.effect({
      step: this.stepOf('end'),
      settle: { kind: 'repeat' },
      run: async (run) => {
        const kept = await this.turns.close(standing, isResumed || run.attempt > 1, run);
        const judged = this.judged(end, kept);
        const how = judged.kind === 'failed' && {
          code: judged.code,
          message: brief(cleanText(judged.message, this.parts.redactor), 300),
        };
        const { kind: outcome } = judged;
        run.tell('agent.finished', { role, purpose, attempt, outcome, ...how, turns, commit: kept.commit, simulated });
        return kept;
      },
    });
  }

  private tellStart(run: EffectRun): void {
    const { role, purpose, attempt, tier, access } = this.task;
    run.tell('agent.started', { runtime: 'api', role, purpose, attempt, tier, access });
  }

  private get leftMs(): number {
    return Math.max(1, this.task.limits.wallMs - this.spentMs);
  }

  private stepOf(part: string): string {
    return `${this.task.step}/${String(this.turn)}/${part}`;
  }
}
