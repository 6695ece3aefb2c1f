import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { AnthropicAnswer } from './anthropic/answer.js';
import { CompatibleAnswer } from './compatible/answer.js';
import { OpenaiAnswer } from './openai/answer.js';
import { StreamRefusal } from './stream-fault.js';
import { openaiUsage } from './token-counts.js';
import type { TellUsage } from './wire-provider.js';

const silent = (): void => undefined;

describe('an answer of Anthropic', () => {
  const begun = (counts: object = {}): { answer: AnthropicAnswer; known: Parameters<TellUsage>[] } => {
    const known: Parameters<TellUsage>[] = [];
    const answer = new AnthropicAnswer((...told) => known.push(told));
    const usage = { input_tokens: 50, output_tokens: 1, cache_read_input_tokens: 7, ...counts };
    answer.take({ type: 'message_start', message: { id: 'm', model: 'x', usage } } as unknown as RawMessageStreamEvent);
    return { answer, known };
  };

  it('keeps the counts of its beginning that its end does not say again', () => {
    const { answer, known } = begun();
    expect(known).toEqual([[{ soFar: { input: 50, output: 1, cacheRead: 7, cacheWrite: 0, reasoning: 0 } }, 'x']]);
    answer.take({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 9, input_tokens: null, output_tokens_details: { thinking_tokens: 4 } },
    } as unknown as RawMessageStreamEvent);
    expect(known.at(-1)).toEqual([{ input: 50, output: 9, cacheRead: 7, cacheWrite: 0, reasoning: 4 }, 'x']);
  });

  it('says nothing of its price by zeros, nor by a count that is none, which takes back what it said', () => {
    expect(begun({ input_tokens: 0, cache_read_input_tokens: 0 }).known).toEqual([[null, 'x']]);
    const { answer, known } = begun();
    const delta = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: -1 } };
    answer.take(delta as unknown as RawMessageStreamEvent);
    expect(known.at(-1)).toEqual([null, 'x']);
  });

  it('keeps blocks that it does not understand, to send them back', () => {
    const { answer } = begun();
    const block = { type: 'redacted_thinking', data: 'sealed' };
    answer.take({ type: 'content_block_start', index: 0, content_block: block } as unknown as RawMessageStreamEvent);
    answer.take({ type: 'message_stop' });
    expect(answer.done()).toMatchObject({ text: '', stop: 'end', raw: { anthropic: [block] } });
  });

  it('has no block out of order', () => {
    const { answer } = begun();
    const event = { type: 'content_block_start', index: 1e9, content_block: { type: 'text', text: '' } };
    expect(() => answer.take(event as unknown as RawMessageStreamEvent)).toThrow('out of order');
  });
});

describe('an answer of OpenAI', () => {
  it('that failed says why, and what it cost where that is known', () => {
    const known: unknown[] = [];
    const answer = new OpenaiAnswer((usage) => known.push(usage));
    const usage = { input_tokens: 9, output_tokens: 2 };
    const response = { error: { code: 'rate_limit_exceeded', message: 'later' }, usage };
    const event = { type: 'response.failed', response } as unknown as ResponseStreamEvent;
    expect(() => answer.take(event)).toThrow(
      new StreamRefusal({ type: null, code: 'rate_limit_exceeded', words: 'later' }),
    );
    expect(known).toMatchObject([{ input: 9, output: 2 }]);
  });

  it('is put together from its items where its end lists none', () => {
    const answer = new OpenaiAnswer(silent);
    const item = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    answer.take({ type: 'response.output_item.done', item } as unknown as ResponseStreamEvent);
    answer.take({
      type: 'response.completed',
      response: { id: 'r', model: 'm', output: [] },
    } as unknown as ResponseStreamEvent);
    expect(answer.done()).toMatchObject({ stop: 'tools', toolCalls: [{ id: 'c', name: 'look', input: {} }] });
  });
});

describe('an answer of a compatible server', () => {
  const read = (...chunks: object[]) => {
    const answer = new CompatibleAnswer(silent);
    for (const chunk of chunks) answer.take(chunk as ChatCompletionChunk);
    return answer.done();
  };
  const call = (tool: object, finish: string | null = null) => ({
    choices: [{ delta: { tool_calls: [tool] }, finish_reason: finish }],
  });

  it('may send whole calls without index or id', () => {
    const whole = (path: string) => ({ function: { name: 'look', arguments: `{"path":"${path}"}` } });
    const { toolCalls, stop } = read(call({ id: 'x', ...whole('a') }), call({ id: 'y', ...whole('b') }, 'stop'));
    expect(toolCalls.map(({ id, input }) => [id, input])).toEqual([
      ['x', { path: 'a' }],
      ['y', { path: 'b' }],
    ]);
    expect(stop).toBe('tools');
    expect(read(call(whole('a'), 'tool_calls')).toolCalls).toMatchObject([{ id: 'call_0', input: { path: 'a' } }]);
  });

  it('may interleave the pieces of several calls', () => {
    const piece = (index: number, part: string, id?: string) =>
      call({ index, ...(id ? { id } : {}), function: { arguments: part } });
    const { toolCalls } = read(piece(0, '{"a"', 'x'), piece(1, '{"b"', 'y'), piece(0, ':1}'), piece(1, ':2}'), {
      choices: [{ delta: {}, finish_reason: 'tool_calls' }],
    });
    expect(toolCalls.map(({ input }) => input)).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe('the counts of OpenAI’s protocols', () => {
  const counts = { input: 100, output: 20, cacheRead: 30, cacheWrite: 10, reasoning: 5 };
  it('include cached input, which is taken out', () => {
    expect(openaiUsage(counts)).toEqual({ input: 60, output: 20, cacheRead: 30, cacheWrite: 10, reasoning: 5 });
  });

  it.each([
    { input: -1 },
    { input: 1.5 },
    { output: NaN },
    { output: '20' },
    { cacheRead: 95 },
    { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ])('are unknown where they cannot be true: %j', (wrong) => expect(openaiUsage({ ...counts, ...wrong })).toBeNull());
});
