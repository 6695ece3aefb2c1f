import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.js';
import { anthropicWire } from './anthropic-wire.js';
import { openaiWire } from './openai-wire.js';
import type { Wire } from './wire.js';

const sse = (...events: (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

function read(wire: Wire, text: string, cuts: readonly number[] = [], isStream = true) {
  const reader = new AnswerReader(wire, isStream);
  const bytes = Buffer.from(text);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of places) {
    reader.take(bytes.subarray(from, to));
    from = to;
  }
  return reader.end();
}

const started = { id: 'msg_1', model: 'm', usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 1 } };
const ANTHROPIC = sse(
  { type: 'message_start', message: started },
  { type: 'content_block_delta', delta: { text: 'ünïcode "usage" in a text' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } },
  { type: 'message_stop' },
);
const USAGE = { input: 10, output: 42, cacheRead: 3, cacheWrite: 0, reasoning: 0 };

describe('what passes by is understood', () => {
  it('wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 20 }), (cuts) => {
        expect(read(anthropicWire, ANTHROPIC, cuts)).toMatchObject({ usage: USAGE, isWhole: true, answeredBy: 'm' });
      }),
    );
  });

  it('in OpenAI’s two ways to report, of which cached input is a part', () => {
    const responses = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 7 };
    const response = { id: 'r', status: 'completed', model: 'm', usage: responses };
    const one = read(
      openaiWire,
      sse({ type: 'response.created', response: { id: 'r', status: 'in_progress' } }, { response }),
    );
    expect(one).toMatchObject({ usage: { input: 60, cacheRead: 40, output: 7 }, isWhole: true });
    const chunk = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens: 7 };
    const other = read(openaiWire, sse({ id: 'c', choices: [{}] }, { id: 'c', choices: [], usage: chunk }, '[DONE]'));
    expect(other).toMatchObject({ usage: { input: 60, cacheRead: 40, output: 7 }, isWhole: true });
  });
});

describe('what is not the whole truth is not taken for it', () => {
  it.each([
    ['nothing', ''],
    ['a stream without its end', ANTHROPIC.slice(0, ANTHROPIC.indexOf('event') + 300)],
    ['rubbish', sse('{"usage": ', 'x"usage"', '[]')],
    ['negative tokens', sse({ type: 'message_delta', delta: { stop_reason: 'x' }, usage: { output_tokens: -5 } })],
    ['no numbers', sse({ type: 'message_delta', delta: { stop_reason: 'x' }, usage: { output_tokens: '7' } })],
    ['endless numbers', sse('{"type":"message_delta","delta":{"stop_reason":"x"},"usage":{"output_tokens":1e300}}')],
  ])('%s', (_name, text) => {
    expect(read(anthropicWire, text).isWhole).toBe(false);
  });

  it('what a completion used so far', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 7 };
    const chunk = { choices: [{ delta: { content: 'x' }, finish_reason: null }], usage };
    const last = { choices: [{ delta: {}, finish_reason: 'stop' }], usage };
    expect(read(openaiWire, sse(chunk, chunk))).toMatchObject({ usage: { output: 7 }, isWhole: false });
    expect(read(openaiWire, sse(chunk, last)).isWhole).toBe(true);
    expect(read(openaiWire, sse(chunk, chunk, '[DONE]')).isWhole).toBe(true);
    expect(read(openaiWire, sse({ choices: [] }, '[DONE]')).isWhole).toBe(false);
  });

  it('more cached than there was in all', () => {
    const usage = { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens: 7 };
    expect(read(openaiWire, JSON.stringify({ usage }), [], false)).toMatchObject({ usage: null, isWhole: false });
  });
});

describe('an answer has ended, though nobody counted it', () => {
  const part = { choices: [{ delta: { content: 'x' }, finish_reason: null }] };
  const last = { choices: [{ delta: {}, finish_reason: 'stop' }] };

  it.each([
    ['with the mark of its end', openaiWire, sse(part, '[DONE]')],
    ['with why it stopped', openaiWire, sse(part, last)],
    ['with the last event of a message', anthropicWire, sse({ type: 'message_stop' })],
    ['with the last event of a response', openaiWire, sse({ type: 'response.completed', response: {} })],
  ] as const)('%s', (_name, wire, text) => {
    expect(read(wire, text)).toMatchObject({ usage: null, isWhole: false, hasEnded: true });
  });

  it('but not where a part of it is missing, whatever its text says', () => {
    const text = JSON.stringify({ type: 'message_stop', finish_reason: 'stop' });
    const said = { choices: [{ delta: { content: text }, finish_reason: null }] };
    expect(read(openaiWire, sse(part, said)).hasEnded).toBe(false);
    expect(read(openaiWire, '<html>no model</html>', [], false).hasEnded).toBe(false);
    expect(read(openaiWire, '{"choices":[]}', [], false).hasEnded).toBe(true);
  });
});
