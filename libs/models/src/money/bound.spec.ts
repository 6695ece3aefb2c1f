import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import type { ChatRequest, Message } from '../model.port.js';
import { anthropicRequest } from '../providers/anthropic/request.js';
import { compatibleRequest } from '../providers/compatible/request.js';
import { openaiRequest } from '../providers/openai/request.js';
import { boundOf, boundOfBody, OVERHEAD_TOKENS } from './bound.js';
import { wish } from './money.fixture.js';

const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const json = fc.jsonValue().map((value) => value as Json);
/** As each provider keeps its answers, and as none does. */
const raw: fc.Arbitrary<Json> = fc.oneof(
  json,
  text.map((reasoning) => ({ completions: { reasoning_content: reasoning } })),
  text.map((said) => ({ anthropic: [{ type: 'text', text: said }] })),
  text.map((said) => ({ openai: [{ type: 'message', role: 'assistant', content: said }] })),
);
const toolCalls = fc.array(fc.record({ id: text, name: text, input: json }), { maxLength: 4 });
const result = fc.record({ callId: text, text, isError: fc.boolean() });
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((said): Message => ({ role: 'user', text: said })),
  fc.record({ role: fc.constant('assistant' as const), text, toolCalls, raw }),
  fc.array(result, { maxLength: 4 }).map((results): Message => ({ role: 'tools', results })),
);
/** The most tokens that any tokenizer makes of what a provider is sent: one per byte of every text. */
const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, one) => {
    const said = one.role === 'tools' ? one.results.map((result) => result.text).join('') : one.text;
    return sum + Buffer.byteLength(said);
  }, 0);

const asker = { role: 'coder', purpose: 'test', attempt: 1, tier: 'small' } as const;

describe('the bound of a call', () => {
  it('is not below one token per byte of what is sent', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), text, (messages, system) => {
        const { inputTokens } = boundOf({ ...wish, system, messages });
        expect(inputTokens).toBeGreaterThanOrEqual(bytesOf(messages) + Buffer.byteLength(system));
      }),
    );
  });

  it.each([
    ['Anthropic', (request: ChatRequest) => anthropicRequest(request).messages],
    ['OpenAI', (request: ChatRequest) => openaiRequest(request).input],
    ['others', (request: ChatRequest) => compatibleRequest(request).messages],
  ])('is not below the bytes of the messages in the form of %s, without what a provider may add', (_name, sentOf) => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60, size: 'max' }), text, (messages, system) => {
        const sent = sentOf({ ...wish, messages, system, model: { provider: 'p', model: 'm' }, about: asker });
        const { inputTokens } = boundOf({ ...wish, messages, system });
        expect(inputTokens - OVERHEAD_TOKENS).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(sent)));
      }),
    );
  });

  it('counts an answer with its thoughts where these go back beside it', () => {
    const thoughts = { completions: { reasoning_content: 'y'.repeat(40_000) } };
    const input = { text: 'z'.repeat(20_000) };
    const messages: Message[] = [
      { role: 'assistant', text: 'x'.repeat(20_000), toolCalls: [{ id: 'c', name: 't', input }], raw: thoughts },
    ];
    expect(boundOf({ ...wish, messages }).inputTokens).toBeGreaterThan(80_000);
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
    const known = { messages: 2, tokens: 9_000, cached: 8_500 };
    const { inputTokens, outputTokens, uncachedTokens } = boundOf({ ...wish, messages, known });
    expect(inputTokens).toBeGreaterThanOrEqual(9_000 + 100);
    expect(inputTokens).toBeLessThan(9_000 + 300 + OVERHEAD_TOKENS);
    expect(outputTokens).toBe(1_000);
    expect(uncachedTokens).toBe(inputTokens - 8_500);
  });

  it('of a body is its bytes', () => {
    expect(boundOfBody(5_000, 700)).toEqual({ inputTokens: 5_000 + OVERHEAD_TOKENS, outputTokens: 700 });
  });
});
