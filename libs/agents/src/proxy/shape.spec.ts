import { describe, expect, it } from 'vitest';
import { anthropicWire } from './anthropic-wire.js';
import { harmlessBetas } from './betas.js';
import { compatibleWire } from './compatible-wire.js';
import { openaiWire } from './openai-wire.js';
import type { Body, Wire } from './wire.js';

const shaped = (wire: Wire, path: string, body: Body): Body => {
  const route = wire.route('POST', path);
  if (!route) throw new Error(`no route ${path}`);
  wire.shape(body, route, { maxOutputTokens: 1_000 });
  return body;
};
const responses = (more: Body): Body => shaped(openaiWire, '/v1/responses', { model: 'm', input: 'hello', ...more });
const completion = (more: Body): Body =>
  shaped(openaiWire, '/v1/chat/completions', { model: 'm', messages: [], ...more });
const message = (more: Body): Body => shaped(anthropicWire, '/v1/messages', { model: 'm', messages: [], ...more });
const own = { type: 'function', name: 'f', parameters: { tools: [{ type: 'web_search' }] } };

describe('a call is passed on without what nobody here knows the price of', () => {
  it('of Anthropic’s', () => {
    const kept = { model: 'm', messages: [], system: 'x', thinking: { type: 'adaptive' }, stream: true };
    const output_config = { effort: 'high', task_budget: 1 };
    const rest = { context_management: {}, fallbacks: ['x'], mcp_servers: [], container: 'c', speed: 'fast', new: 1 };
    expect(message({ ...kept, ...rest, output_config, max_tokens: 5, tools: ['x', { type: 'customised' }] })).toEqual({
      ...kept,
      output_config: { effort: 'high' },
      max_tokens: 5,
      tools: [],
    });
  });

  it('of either of OpenAI’s', () => {
    const rest = { service_tier: 'flex', background: true, plugins: [], models: ['x'], context_management: [], new: 1 };
    expect(responses({ ...rest, store: true, reasoning: { effort: 'low', mode: 'pro' } })).toEqual({
      model: 'm',
      input: 'hello',
      reasoning: { effort: 'low' },
      max_output_tokens: 1_000,
      store: false,
    });
    const messages = [{ role: 'assistant', audio: { id: 'a_1' } }];
    expect(completion({ ...rest, store: true, messages })).toEqual({
      model: 'm',
      messages: [{ role: 'assistant' }],
      max_completion_tokens: 1_000,
      n: 1,
    });
  });

  it('and without flags of that kind', () => {
    const sent = 'effort-2025-11-24,context-1m-2025-08-07, claude-code-20250219 ,fast-mode-2026-02-01,effort-x';
    expect(harmlessBetas(sent)).toBe('effort-2025-11-24,claude-code-20250219');
    expect([harmlessBetas('files-api-2025-04-14'), harmlessBetas('')]).toEqual([null, null]);
  });
});

describe('a conversation of OpenAI’s', () => {
  it.each(['item_reference', 'mcp_list_tools', 'image_generation_call', 'compaction', 'never_heard_of', undefined])(
    'with an item %s is refused by that name',
    (type) => {
      expect(() => responses({ input: [{ type, id: 'x' }] })).toThrow(`the type ${type ?? 'unknown'}`);
    },
  );

  it('has no tool of the provider’s anywhere', () => {
    const hosted = [{ type: 'web_search' }, { type: 'mcp' }, { type: 'tool_search' }, 'x'];
    const tools = [own, { type: 'namespace', name: 'n', tools: [own, ...hosted] }, ...hosted];
    const kept = [own, { type: 'namespace', name: 'n', tools: [own] }];
    const holders = (list: unknown[]): Body[] => [
      { type: 'tool_search_output', execution: 'client', tools: list },
      { type: 'additional_tools', role: 'developer', tools: list },
    ];
    const body = responses(structuredClone({ tools, input: holders(tools) }));
    expect([body['tools'], body['input']]).toEqual([kept, holders(kept)]);
    expect(() => responses({ input: [{ type: 'tool_search_call', execution: 'server' }] })).toThrow('tool_search_call');
  });

  it('is left as it is where it stands in the request itself', () => {
    const input = [
      { role: 'user', content: 'hello' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
      { type: 'reasoning', encrypted_content: 'x', summary: [] },
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      { type: 'custom_tool_call', name: 'apply_patch', input: 'x', call_id: 'd' },
    ];
    expect(responses({ input: structuredClone(input) })['input']).toEqual(input);
  });
});

describe('completions of another server’s', () => {
  const path = '/v1/chat/completions';
  it('are limited by the name that it knows, whatever the client called it', () => {
    for (const wish of [{}, { max_tokens: 5_000 }, { max_completion_tokens: 5_000 }, { max_tokens: null }]) {
      const body = shaped(compatibleWire, path, { model: 'm', messages: [], stream: true, ...wish });
      expect(body).toEqual({
        model: 'm',
        messages: [],
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 1_000,
        n: 1,
      });
    }
  });

  it('are all that it is asked for', () => {
    expect(compatibleWire.route('POST', '/v1/responses')).toBeNull();
    expect(compatibleWire.route('GET', '/v1/models')).toMatchObject({ kind: 'free' });
    expect([compatibleWire.authorise(''), compatibleWire.authorise('k')]).toEqual([{}, { authorization: 'Bearer k' }]);
  });
});
