import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../model-error.js';
import type { ChatAnswer } from '../model.port.js';
import type { Fetch } from './call-watch.js';
import { chat, failure, MAKERS } from './under-test.fixture.js';

const NOWHERE = { url: 'http://127.0.0.1:9', openaiUrl: 'http://127.0.0.1:9/v1' };
const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const encoder = new TextEncoder();

const answering =
  (body: string | ReadableStream, status = 200, headers: Record<string, string> = EVENT_STREAM): Fetch =>
  () =>
    Promise.resolve(new Response(body, { status, headers }));
const sse = (events: readonly { type: string; data: unknown }[]): string =>
  events.map(({ type, data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join('');

/** Endless bytes, made as they are read. */
const endless = (chunk: string): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (out) => out.enqueue(encoder.encode(chunk)) });

/** Events whose fields have the right names and any value at all. */
const TYPES = [
  'message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop',
  'response.created', 'response.output_text.delta', 'response.output_item.done', 'response.completed', 'response.failed',
  'response.incomplete', 'error', 'ping',
]; // prettier-ignore
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    'text',
    'text_delta',
    'input_json_delta',
    'tool_use',
    'message',
    'function_call',
    'output_text',
    'end_turn',
  ),
  fc.nat(3),
);
const FIELDS = [
  'message', 'index', 'delta', 'content_block', 'usage', 'response', 'item', 'id', 'model', 'choices', 'output', 'content',
  'error', 'text', 'partial_json', 'stop_reason', 'status', 'tool_calls', 'function', 'finish_reason', 'input_tokens',
  'output_tokens', 'prompt_tokens', 'completion_tokens',
]; // prettier-ignore
const object = fc.dictionary(fc.constantFrom(...FIELDS, 'type'), anything, { maxKeys: 6 });
const event = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(object, fc.array(object, { maxLength: 2 }), anything), {
      maxKeys: 6,
    }),
  )
  .map(([type, fields]) => ({ type, data: { ...fields, type } }));

describe.each(MAKERS)('whatever is sent to %s as an answer', (_name, make) => {
  it('ends in an answer of the promised types or in a ModelError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), async (events) => {
        const outcome: unknown = await chat(make(NOWHERE, { fetch: answering(sse(events)) })).catch(
          (error: unknown) => error,
        );
        if (outcome instanceof ModelError) return;
        const { id, model, text, toolCalls, usage, raw } = outcome as ChatAnswer;
        expect([typeof id, typeof model, typeof text]).toEqual(['string', 'string', 'string']);
        for (const call of toolCalls) expect([typeof call.id, typeof call.name]).toEqual(['string', 'string']);
        for (const count of Object.values(usage)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        expect(JSON.parse(JSON.stringify(raw))).toEqual(raw);
      }),
      { numRuns: 150 },
    );
  });

  it('may be random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(200, 204, 400, 500),
        async (bytes, status) => {
          const body = status === 204 ? null : Buffer.from(bytes);
          const fetch: Fetch = () => Promise.resolve(new Response(body, { status, headers: EVENT_STREAM }));
          await failure(chat(make(NOWHERE, { fetch })));
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a line without end', answering(endless('x'.repeat(65_536)))],
    ['comments without end', answering(endless(': still there\n\n'.repeat(1_000)))],
    ['an error without end', answering(endless('x'.repeat(65_536)), 500, { 'content-type': 'text/plain' })],
  ])('is cut off where it is %s', async (_what, fetch) => {
    const error = await failure(chat(make(NOWHERE, { fetch })));
    expect(error).toMatchObject({ code: 'MODEL_ANSWER_TOO_LARGE', billed: 'unknown' });
  });

  it('may be a fetch that throws anything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.anything(),
          fc.string().map((words) => new Error(words)),
        ),
        async (thrown) => {
          const fetch: Fetch = () => {
            throw thrown;
          };
          expect((await failure(chat(make(NOWHERE, { fetch })))).isRetryable).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
});
