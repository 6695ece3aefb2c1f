import type { Message } from '../model.port.js';
import type { ChatWish } from '../model-desk.port.js';
import type { CallBound } from './price.js';

/**
 * Tokens that a provider may add to what it is sent: the marks around messages, its own words about tools and about
 * the form of the answer.
 */
export const OVERHEAD_TOKENS = 2_048;

type Bounded = Pick<ChatWish, 'system' | 'messages' | 'tools' | 'output' | 'maxOutputTokens' | 'known'>;

/** A token stands for at least one byte of text: what is sent has at most as many tokens as bytes. */
export function boundOf(request: Bounded): CallBound {
  return { inputTokens: inputBound(request), outputTokens: request.maxOutputTokens };
}

/** For whoever has nothing but the body of a request, as the proxy does. */
export const boundOfBody = (bytes: number, maxOutputTokens: number): CallBound => ({
  inputTokens: bytes + OVERHEAD_TOKENS,
  outputTokens: maxOutputTokens,
});

function inputBound({ system, messages, tools, output, known }: Bounded): number {
  if (known) return known.tokens + bytesOf(messages.slice(known.messages).map(longestForm)) + OVERHEAD_TOKENS;
  return bytesOf([system, tools, output ?? null, messages.map(longestForm)]) + OVERHEAD_TOKENS;
}

/** An answer goes back in the provider's own form or in ours, never in both. */
function longestForm(message: Message): unknown {
  if (message.role !== 'assistant') return message;
  const { raw, ...ours } = message;
  return bytesOf(raw) > bytesOf(ours) ? raw : ours;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
