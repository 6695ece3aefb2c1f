import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import type { Message } from '../model.port.js';
import { boundOf, boundOfBody, OVERHEAD_TOKENS } from './bound.js';
import { wish } from './money.fixture.js';

const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((said): Message => ({ role: 'user', text: said })),
  fc
    .tuple(text, fc.jsonValue())
    .map(([said, raw]): Message => ({ role: 'assistant', text: said, toolCalls: [], raw: raw as Json })),
  text.map((said): Message => ({ role: 'tools', results: [{ callId: 'c', text: said, isError: false }] })),
);
/** The most tokens that any tokenizer makes of what a provider is sent: one per byte of every text. */
const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, one) => {
    const said = one.role === 'tools' ? one.results.map((result) => result.text).join('') : one.text;
    return sum + Buffer.byteLength(said);
  }, 0);

describe('the bound of a call', () => {
  it('is not below one token per byte of what is sent', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), text, (messages, system) => {
        const { inputTokens } = boundOf({ ...wish, system, messages });
        expect(inputTokens).toBeGreaterThanOrEqual(bytesOf(messages) + Buffer.byteLength(system));
      }),
    );
  });

  it('takes the words of tools and of the form of the answer with it', () => {
    const schema = { type: 'object', description: 'x'.repeat(1_000) };
    const plain = boundOf(wish).inputTokens;
    const tools = [{ name: 't', description: 'd', schema }];
    expect(boundOf({ ...wish, tools }).inputTokens - plain).toBeGreaterThan(1_000);
    expect(boundOf({ ...wish, output: { name: 'o', schema } }).inputTokens - plain).toBeGreaterThan(1_000);
  });

  it('counts an answer that goes back in its longest form, once', () => {
    const sent = (raw: Json): number =>
      boundOf({ ...wish, messages: [{ role: 'assistant', text: 'x'.repeat(500), toolCalls: [], raw }] }).inputTokens;
    expect(sent('y'.repeat(5_000)) - sent(null)).toBeGreaterThan(4_400);
    expect(sent('y'.repeat(300))).toBe(sent(null));
  });

  it('is what the last answer reported, and the bytes that came since', () => {
    const messages: Message[] = [
      { role: 'user', text: 'x'.repeat(100_000) },
      { role: 'assistant', text: 'y', toolCalls: [], raw: null },
      { role: 'user', text: 'z'.repeat(100) },
    ];
    const { inputTokens, outputTokens } = boundOf({ ...wish, messages, known: { messages: 2, tokens: 9_000 } });
    expect(inputTokens).toBeGreaterThanOrEqual(9_000 + 100);
    expect(inputTokens).toBeLessThan(9_000 + 200 + OVERHEAD_TOKENS);
    expect(outputTokens).toBe(1_000);
  });

  it('of a body is its bytes', () => {
    expect(boundOfBody(5_000, 700)).toEqual({ inputTokens: 5_000 + OVERHEAD_TOKENS, outputTokens: 700 });
  });
});
