import type { Json } from '#kernel';
import type { Message } from '../model.port.js';
import type { ChatWish } from '../model-desk.port.js';
import type { CallBound } from './price.js';

/**
 * Tokens that a provider may add to what it is sent: the marks around messages, its own words about tools and about
 * the form of the answer.
 */
export const OVERHEAD_TOKENS = 2_048;

/** What a provider's form adds to ours around a text, a call, a result or a tool: names of fields, marks for a cache. */
const FORM_BYTES = 96;

type Bounded = Pick<ChatWish, 'system' | 'messages' | 'tools' | 'output' | 'maxOutputTokens' | 'known'>;

/** A token stands for at least one byte of text: what is sent has at most as many tokens as bytes. */
export function boundOf({ system, messages, tools, output, maxOutputTokens, known }: Bounded): CallBound {
  if (!known) {
    const around = bytesOf([system, tools, output ?? null]) + FORM_BYTES * (1 + tools.length);
    return { inputTokens: around + bytesOfMessages(messages) + OVERHEAD_TOKENS, outputTokens: maxOutputTokens };
  }
  const inputTokens = known.tokens + bytesOfMessages(messages.slice(known.messages)) + OVERHEAD_TOKENS;
  return { inputTokens, outputTokens: maxOutputTokens, uncachedTokens: inputTokens - known.cached };
}

/** For whoever has nothing but the body of a request, as the proxy does. */
export const boundOfBody = (bytes: number, maxOutputTokens: number): CallBound => ({
  inputTokens: bytes + OVERHEAD_TOKENS,
  outputTokens: maxOutputTokens,
});

const bytesOfMessages = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + FORM_BYTES + bytesOfMessage(message), 0);

function bytesOfMessage(message: Message): number {
  switch (message.role) {
    case 'user':
      return bytesOf(message);
    case 'tools':
      return bytesOf(message) + FORM_BYTES * message.results.length;
    case 'assistant':
      return Math.max(bytesOf(message.raw), bytesToldAnew(message));
  }
}

/** An answer goes back in the provider's own form, or in ours, where some also want to see its thoughts again. */
function bytesToldAnew({ text, toolCalls, raw }: Extract<Message, { role: 'assistant' }>): number {
  // Arguments are a text in some forms: JSON within JSON, whose quotes take more bytes.
  const calls = toolCalls.map(({ id, name, input }) => [id, name, JSON.stringify(input)]);
  return bytesOf([text, calls, thoughtsIn(raw)]) + FORM_BYTES * toolCalls.length;
}

const thoughtsIn = (raw: Json): Json =>
  typeof raw === 'object' && raw !== null && 'completions' in raw ? (raw.completions ?? null) : null;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
