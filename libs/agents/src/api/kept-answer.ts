import { type Json, secrets } from '#kernel';
import { boundOf, type ChatAnswer, type ChatWish, type MeteredAnswer, ModelError } from '#models';
import { notesRoom, type ToldNotes } from '../notes/told-notes.js';
import { isDeeperThan } from '../json-depth.js';

/** An answer as the journal keeps it: what the conversation needs to go on, and what people want to see. */
export type KeptAnswer = {
  readonly kind: 'answered';
  /** What people said meanwhile: the model was told it with this call, after all that came before. */
  readonly notes?: ToldNotes;
  readonly text: string;
  readonly toolCalls: readonly KeptCall[];
  readonly raw: Json;
  readonly stop: ChatAnswer['stop'];
  readonly usage: KeptUsage;
  /** Only where the server counted nothing, and `usage` says nothing: the most tokens that the model can have held. */
  readonly heldAtMost?: number;
  readonly ref: { readonly provider: string; readonly model: string };
  readonly isSimulated: boolean;
  /** Nano-dollars; null where nobody knows. */
  readonly cost: string | null;
  readonly contextTokens: number;
  readonly ms: number;
};

export type KeptCall = { readonly id: string; readonly name: string; readonly input: Json };

type KeptUsage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
};

/** The task's time was over before the model had answered. Kept, so that it is not asked again. */
export type KeptTimeOut = { readonly kind: 'timed-out'; readonly ms: number };

/** The conversation is more than the model can hold, though nobody knew before. It was not answered, nor paid for. */
export type KeptTooLong = { readonly kind: 'too-long'; readonly ms: number; readonly words: string };

export type Kept = KeptAnswer | KeptTimeOut | KeptTooLong;

/** Deeper JSON than this would overflow the stack of whoever walks through it. */
const DEEPEST = 200;

export function keptAnswer(answer: MeteredAnswer, wish: ChatWish, ms: number): KeptAnswer {
  const { text, raw, stop, usage, ref, isSimulated, costNanoUsd, contextTokens } = answer;
  const toolCalls = answer.toolCalls.map(({ id, name, input }) => ({ id, name, input }));
  if (isDeeperThan(DEEPEST, [raw, toolCalls])) {
    const words = 'the answer is nested too deeply';
    throw new ModelError('MODEL_ANSWER_MALFORMED', words, {
      remedy: 'give-up',
      provider: ref.provider,
      words,
      billed: usage,
    });
  }
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  return {
    kind: 'answered',
    // A key that a model repeats is not sent back to it, nor used.
    ...secrets.redactLearntJson({ text, toolCalls, raw }),
    stop,
    usage: { input, output, cacheRead, cacheWrite, reasoning },
    ...(answer.isUsageKnown === false && { heldAtMost: boundWith(answer, wish) }),
    ref: { provider: ref.provider, model: ref.model },
    isSimulated,
    cost: costNanoUsd === null ? null : String(costNanoUsd),
    contextTokens,
    ms,
  };
}

/** All that the model held when it had answered, or where nobody counted, the most it can have been. */
export const heldTokens = ({ usage, heldAtMost }: KeptAnswer): number =>
  heldAtMost ?? usage.input + usage.cacheRead + usage.cacheWrite + usage.output;

/**
 * What the model can still be told of results, with room for its next answer and for what people may say before; null
 * where nobody knows what it can hold.
 */
export function roomAfter(answer: KeptAnswer, maxOutputTokens: number): number | null {
  const { contextTokens } = answer;
  if (contextTokens <= 0) return null;
  return Math.max(0, contextTokens - heldTokens(answer) - maxOutputTokens - notesRoom(contextTokens));
}

function boundWith({ text, toolCalls, raw }: MeteredAnswer, wish: ChatWish): number {
  const messages = [...wish.messages, { role: 'assistant', text, toolCalls, raw } as const];
  return boundOf({ ...wish, messages }).inputTokens;
}
