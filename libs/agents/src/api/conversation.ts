import type { ChatWish, Message, ModelRef, ToolResult } from '#models';
import { notesRoom } from '../notes/told-notes.js';
import { heldTokens, type KeptAnswer } from './kept-answer.js';

const WARN_AT = 0.7;
const SUMMARISE_AT = 0.8;

/**
 * What a model has been told and has answered so far. It stays with the model that answered first. When the model can
 * hold little more, the loop asks for a summary and goes on in a fresh conversation.
 */
export class Conversation {
  readonly messages: Message[];
  pinned: ModelRef | undefined;
  known: ChatWish['known'];
  /** The number of the last note that was told in it: one that begins anew is told all of them. */
  notesUpTo = 0;
  /** Undefined where nobody knows what the model can hold. */
  notesRoom: number | undefined;
  /** Whether it has been told that the limits of its task are nearly reached. */
  isToldOfLimits = false;
  private share = 0;
  private hasWarned = false;

  constructor(prompt: string) {
    this.messages = [{ role: 'user', text: prompt }];
  }

  /** How much of what the model can hold is in use, if it has just become enough for a warning. */
  warning(answer: KeptAnswer): number | null {
    const share = shareOf(answer);
    return !this.hasWarned && share >= WARN_AT ? share : null;
  }

  /** Nothing was said in it yet but what it began with. */
  get isFresh(): boolean {
    return this.messages.length === 1;
  }

  get isNearlyFull(): boolean {
    return this.share >= SUMMARISE_AT;
  }

  answered(answer: KeptAnswer): void {
    const { text, toolCalls, raw, ref } = answer;
    this.pinned ??= ref;
    if (answer.notes) {
      this.say(answer.notes.text);
      this.notesUpTo = answer.notes.upTo;
    }
    this.messages.push({ role: 'assistant', text, toolCalls, raw });
    // Where nobody counted, what was known before is still true of the messages it was about.
    if (answer.heldAtMost === undefined) {
      const { cacheRead, cacheWrite } = answer.usage;
      this.known = { messages: this.messages.length, tokens: heldTokens(answer), cached: cacheRead + cacheWrite };
    }
    this.notesRoom = answer.contextTokens > 0 ? notesRoom(answer.contextTokens) : undefined;
    this.share = shareOf(answer);
    this.hasWarned ||= this.share >= WARN_AT;
  }

  say(text: string): void {
    this.messages.push({ role: 'user', text });
  }

  giveResults(results: readonly ToolResult[]): void {
    this.messages.push({ role: 'tools', results });
  }
}

const shareOf = (answer: KeptAnswer): number =>
  answer.contextTokens > 0 ? heldTokens(answer) / answer.contextTokens : 0;
