import type { EffectRun } from '#engine';
import { brief, cleanText, headAndTail } from './bounded-text.js';
import type { KeptCall } from './kept-answer.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import { ToolRefusal } from './tools/refusal.js';
import type { Tool, ToolSaid, ToolScene } from './tools/tool.js';
import type { Toolbox } from './tools/toolbox.js';

export type KeptResult = { readonly callId: string; readonly text: string; readonly isError: boolean };

/** Which of the calls wrote a file, and the file after it. */
export type KeptWrite = { readonly nth: number; readonly path: string; readonly hash: string };

export interface CallsDone {
  readonly results: readonly KeptResult[];
  readonly wrote: readonly KeptWrite[];
  /** Whether a command may have changed files, nobody knows which. */
  readonly mayHaveChanged: boolean;
}

type Called = { readonly tool: Tool; readonly given: unknown } | { readonly refusal: ToolRefusal };

const LONGEST_ABOUT = 200;
const LEAST_CHARS = 500;
/** Of the calls that are too many for one answer, so many are told one by one, and the rest in one event. */
const MOST_REFUSALS_TOLD = 100;

const tooMany = (callsPerTurn: number): string => `not done: at most ${String(callsPerTurn)} calls in one answer`;

/** Does the calls of one turn: those that read side by side, the others one after the other, all in their order. */
export class ToolCalls {
  private readonly wrote: KeptWrite[] = [];
  private mayHaveChanged = false;
  private hasFailed = false;

  constructor(
    private readonly toolbox: Toolbox,
    private readonly scene: ToolScene,
    private readonly parts: Pick<ApiRuntimeParts, 'trace'>,
    private readonly role: string,
    private readonly run: EffectRun,
    private readonly mustHold: () => Promise<void>,
  ) {}

  async perform(calls: readonly KeptCall[], roomTokens: number | null): Promise<CallsDone> {
    const results: KeptResult[] = [];
    const maxChars = this.charsPerResult(calls.length, roomTokens);
    for (let at = 0; at < calls.length;) {
      const group = this.groupFrom(calls, at);
      const done = await Promise.all(group.map((call, nth) => this.call(call, at + nth, maxChars)));
      results.push(...done);
      at += group.length;
    }
    this.tellRest(calls.length - this.scene.limits.callsPerTurn - MOST_REFUSALS_TOLD);
    return { results, wrote: this.wrote, mayHaveChanged: this.mayHaveChanged };
  }

  private tellRest(count: number): void {
    if (count < 1) return;
    const about = `${String(count)} more calls (refused)`;
    this.run.tell('tool.called', { role: this.role, tool: 'unknown', about, ok: false, ms: 0, bytes: 0 });
  }

  /** As many reading calls in a row as there are; else one call. */
  private groupFrom(calls: readonly KeptCall[], at: number): readonly KeptCall[] {
    let end = at;
    while (end < calls.length && this.toolbox.find(calls[end]?.name ?? '')?.kind === 'reads') end += 1;
    return calls.slice(at, Math.max(end, at + 1));
  }

  /** Together they must fit into what the model can still hold, at one character per token: in truth it is more. */
  private charsPerResult(count: number, roomTokens: number | null): number {
    const { resultChars, turnChars } = this.scene.limits;
    const all = Math.min(turnChars, roomTokens ?? turnChars);
    return Math.max(LEAST_CHARS, Math.min(resultChars, Math.floor(all / count)));
  }

  private async call(call: KeptCall, nth: number, maxChars: number): Promise<KeptResult> {
    this.scene.signal.throwIfAborted();
    const { callsPerTurn } = this.scene.limits;
    if (nth >= callsPerTurn + MOST_REFUSALS_TOLD) return this.untold(call);
    const called = nth >= callsPerTurn ? { refusal: new ToolRefusal(tooMany(callsPerTurn)) } : this.read(call);
    const since = this.scene.now();
    const name = 'tool' in called ? called.tool.name : 'unknown';
    const about = brief(cleanText(aboutOf(called, call), this.scene.redactor), LONGEST_ABOUT);
    const said = await this.parts.trace.within(
      'tool',
      name,
      { tool: name, toolCallId: call.id, about },
      async (note) => {
        const outcome = await this.outcomeOf(called);
        note({ ok: outcome.isError !== true });
        return outcome;
      },
    );
    const isError = said.isError === true;
    if (said.wrote) this.wrote.push({ nth, ...said.wrote });
    this.mayHaveChanged ||= said.mayHaveChanged === true;
    this.hasFailed ||= isError;
    const text = headAndTail(cleanText(said.text, this.scene.redactor), maxChars);
    const ms = Math.round(this.scene.now() - since);
    const bytes = Buffer.byteLength(text);
    this.run.tell('tool.called', { role: this.role, tool: name, about, ok: !isError, ms, bytes });
    return { callId: call.id, text, isError };
  }

  private untold({ id }: KeptCall): KeptResult {
    this.hasFailed = true;
    return { callId: id, text: tooMany(this.scene.limits.callsPerTurn), isError: true };
  }

  private read(call: KeptCall): Called {
    try {
      return this.toolbox.read(call);
    } catch (error) {
      if (error instanceof ToolRefusal) return { refusal: error };
      throw error;
    }
  }

  private async outcomeOf(called: Called): Promise<ToolSaid> {
    if ('refusal' in called) return { text: called.refusal.message, isError: true };
    const { tool, given } = called;
    if (tool.kind === 'ends' && this.hasFailed) {
      return { text: 'not ended: another call of the same answer failed. Look at it first.', isError: true };
    }
    if (tool.kind === 'writes') await this.mustHold();
    try {
      return await tool.use(given, this.scene);
    } catch (error) {
      if (error instanceof ToolRefusal) return { text: error.message, isError: true };
      throw error;
    }
  }
}

const aboutOf = (called: Called, call: KeptCall): string =>
  'tool' in called ? called.tool.about(called.given) : `${call.name.slice(0, LONGEST_ABOUT)} (refused)`;
