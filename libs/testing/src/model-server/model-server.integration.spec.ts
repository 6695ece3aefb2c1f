import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.js';
import type { Reply, Script } from './reply.js';
import { byTurn } from './scripts.js';

let server: ModelServer;
afterEach(() => server.stop());

async function start(script: Script | readonly Reply[], options?: ModelServerOptions): Promise<void> {
  server = await startModelServer(script, options);
}

async function ask(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: unknown }> {
  const sent = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
  const response = await fetch(`${server.url}${path}`, sent);
  return { status: response.status, json: await response.json() };
}

const usage = { input: 5, output: 3, cacheRead: 2, cacheWrite: 1, reasoning: 1 };
const reply: Reply = { text: 'Hello.', toolCalls: [{ id: 'c', name: 'look', input: { at: 1 } }], usage };

describe('the model server', () => {
  it('answers each protocol as a whole too', async () => {
    await start([reply, reply, reply]);
    expect((await ask('/v1/messages', { model: 'm', messages: [] })).json).toMatchObject({
      content: [
        { type: 'text', text: 'Hello.' },
        { type: 'tool_use', id: 'c', name: 'look', input: { at: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 5, output_tokens: 3, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 },
    });
    expect((await ask('/v1/responses', { model: 'm', input: [] })).json).toMatchObject({
      status: 'completed',
      output: [{ type: 'message' }, { type: 'function_call', call_id: 'c', arguments: '{"at":1}' }],
      usage: { input_tokens: 8, input_tokens_details: { cached_tokens: 2 }, output_tokens: 3 },
    });
    expect((await ask('/v1/chat/completions', { model: 'm', messages: [] })).json).toMatchObject({
      choices: [{ message: { content: 'Hello.', tool_calls: [{ id: 'c' }] }, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 8, completion_tokens: 3 },
    });
    expect(server.calls.map(({ protocol }) => protocol)).toEqual(['anthropic', 'responses', 'completions']);
  });

  it('keeps what a provider would bill, whatever the client saw of it', async () => {
    await start([reply, { ...reply, fault: { kind: 'status', status: 529 } }, { ...reply, fault: { kind: 'lost' } }]);
    const body = { model: 'm', messages: [] };
    await ask('/v1/messages', body);
    expect((await ask('/v1/messages', body)).status).toBe(529);
    await expect(ask('/v1/messages', body)).rejects.toThrow('fetch failed');
    expect(server.calls.map(({ billed }) => billed?.input ?? null)).toEqual([5, null, 5]);
    expect(server.billed()).toEqual({ input: 10, output: 6, cacheRead: 4, cacheWrite: 2, reasoning: 2 });
  });

  it('answers by how far a conversation is, for any number of them', async () => {
    await start(byTurn([{ text: 'first' }, { text: 'second' }], { sideCalls: { text: 'a title' } }));
    const tools = [{ name: 'look' }];
    const going = [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }];
    const said = async (body: object) => JSON.stringify((await ask('/v1/messages', { model: 'm', ...body })).json);
    expect(await said({ messages: [], tools })).toContain('first');
    expect(await said({ messages: going, tools })).toContain('second');
    expect(await said({ messages: [], tools })).toContain('first');
    expect(await said({ messages: [] })).toContain('a title');
  });

  it('counts tokens, lists models, and keeps whatever else it is asked', async () => {
    await start([]);
    expect((await ask('/v1/messages/count_tokens', {})).json).toEqual({ input_tokens: 1 });
    expect((await ask('/v1/models', {})).json).toMatchObject({ object: 'list' });
    expect((await ask('/v1/nothing', {})).status).toBe(404);
    expect(server.others.map(({ path }) => path)).toEqual(['/v1/messages/count_tokens', '/v1/models', '/v1/nothing']);
    expect(server.calls).toEqual([]);
  });

  it('takes one key only where it has one, and says when its script is over', async () => {
    await start([], { key: 'right' });
    const body = { model: 'm', messages: [] };
    expect((await ask('/v1/messages', body, { 'x-api-key': 'wrong' })).status).toBe(401);
    const { status, json } = await ask('/v1/messages', body, { authorization: 'Bearer right' });
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('no reply left')]);
  });

  it('refuses a schema that strict mode does not take, as OpenAI does', async () => {
    await start(() => ({ text: '{}' }));
    const closed = (properties: object, required = Object.keys(properties)) => ({
      ...{ type: 'object', properties, required, additionalProperties: false },
    });
    const format = (schema: object) => ({ type: 'json_schema', name: 'colour', schema, strict: true });
    const responses = (schema: object) =>
      ask('/v1/responses', { model: 'm', input: [], text: { format: format(schema) } });
    const completions = (schema: object, strict = true) =>
      ask('/v1/chat/completions', {
        ...{ model: 'm', messages: [] },
        response_format: { type: 'json_schema', json_schema: { ...format(schema), strict } },
      });
    const good = closed({ a: { anyOf: [closed({ b: { type: 'string' } }), { type: 'null' }] } });
    const open = { type: 'object', properties: {}, required: [] };
    const optional = closed({ a: { type: 'array', items: closed({ b: { type: 'string' } }, []) } });
    for (const asking of [responses, completions]) {
      expect((await asking(good)).status).toBe(200);
      expect(await asking(open)).toMatchObject({
        status: 400,
        json: {
          error: {
            type: 'invalid_request_error',
            message:
              "Invalid schema for response_format 'colour': In context=(), 'additionalProperties' is required to be supplied and to be false.",
          },
        },
      });
      const { status, json } = await asking(optional);
      expect([status, JSON.stringify(json)]).toEqual([
        400,
        expect.stringMatching(/'properties', 'a', 'items'.*Missing 'b'/),
      ]);
    }
    expect((await completions(open, false)).status).toBe(200);
  });
});
