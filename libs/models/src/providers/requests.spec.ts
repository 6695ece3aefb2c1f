import { describe, expect, it } from 'vitest';
import type { Message } from '../model.port.js';
import { anthropicRequest } from './anthropic/request.js';
import { compatibleRequest } from './compatible/request.js';
import { openaiRequest } from './openai/request.js';
import { chatRequest } from './under-test.fixture.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const TOOL = { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } };
const CALL = { id: 'c1', name: 'look', input: { at: 'x' } };
const conversation = (answer: Partial<Extract<Message, { role: 'assistant' }>>): Message[] => [
  { role: 'user', text: 'Go.' },
  { role: 'assistant', text: '', toolCalls: [CALL], raw: null, ...answer },
  { role: 'tools', results: [{ callId: 'c1', text: 'seen', isError: true }] },
];

describe('a request to Anthropic', () => {
  it('marks system text, the end of this request and the end of the one before for the cache', () => {
    const { system, messages, tools } = anthropicRequest(chatRequest({ messages: conversation({}), tools: [TOOL] }));
    expect(system).toEqual([{ type: 'text', text: 'You are a test.', ...MARK }]);
    expect(tools).toEqual([{ name: 'look', description: 'Looks.', input_schema: TOOL.schema }]);
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go.', ...MARK }] },
      { role: 'assistant', content: [{ type: 'tool_use', ...CALL }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'seen', is_error: true, ...MARK }] },
    ]);
  });

  it('marks the tools where there is no system text', () => {
    expect(anthropicRequest(chatRequest({ system: '', tools: [TOOL] })).tools).toMatchObject([MARK]);
  });

  it('pays for no cache where nothing will be sent again', () => {
    expect(JSON.stringify(anthropicRequest(chatRequest()))).not.toContain('cache_control');
  });

  it('sends the blocks of an earlier answer back as they came, but for empty texts, which it would refuse', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: '' },
      { type: 'tool_use', ...CALL },
    ];
    const { messages } = anthropicRequest(chatRequest({ messages: conversation({ raw: { anthropic: blocks } }) }));
    expect(messages[1]?.content).toEqual([blocks[0], blocks[2]]);
  });

  it('has no message without content', () => {
    const messages: Message[] = [
      { role: 'user', text: '' },
      { role: 'assistant', text: '', toolCalls: [], raw: { anthropic: [] } },
    ];
    expect(anthropicRequest(chatRequest({ messages })).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '(empty)' }] },
      { role: 'assistant', content: [{ type: 'text', text: '(empty)' }] },
    ]);
  });
});

describe('a request to OpenAI', () => {
  it('leaves nothing at the provider and asks for sealed reasoning', () => {
    expect(openaiRequest(chatRequest())).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  it('asks no model for reasoning that would refuse', () => {
    const request = openaiRequest(chatRequest({ model: { provider: 'openai', model: 'gpt-4.1-mini' } }));
    expect(request.include).toBeUndefined();
  });

  it('drops reasoning that is not sealed, and keeps the rest as it came', () => {
    const call = { type: 'function_call', call_id: 'c1', id: 'fc_1', name: 'look', arguments: '{"at":"x"}' };
    const raw = { openai: [{ type: 'reasoning', id: 'rs_1', summary: [] }, call] };
    expect(openaiRequest(chatRequest({ messages: conversation({ raw }) })).input).toEqual([
      { role: 'user', content: 'Go.' },
      call,
      { type: 'function_call_output', call_id: 'c1', output: 'seen' },
    ]);
  });

  it('tells the answer of another provider anew', () => {
    const { input } = openaiRequest(
      chatRequest({ messages: conversation({ text: 'I look.', raw: { anthropic: [] } }) }),
    );
    expect(input).toMatchObject([
      {},
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"x"}' },
      {},
    ]);
  });
});

describe('a request to a compatible server', () => {
  it('asks for usage, which streams leave out otherwise', () => {
    expect(compatibleRequest(chatRequest())).toMatchObject({
      stream_options: { include_usage: true },
      max_tokens: 1_000,
    });
  });

  it('shows reasoning again between tool calls only', () => {
    const raw = { completions: { reasoning_content: 'Hm.' } };
    const withCalls = compatibleRequest(chatRequest({ messages: conversation({ raw }) }));
    expect(withCalls.messages[2]).toMatchObject({ role: 'assistant', content: null, reasoning_content: 'Hm.' });
    const without = compatibleRequest(chatRequest({ messages: conversation({ raw, toolCalls: [], text: 'Done.' }) }));
    expect(without.messages[2]).toEqual({ role: 'assistant', content: 'Done.' });
  });
});
