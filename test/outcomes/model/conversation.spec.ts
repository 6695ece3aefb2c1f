import { describe, expect, it } from 'vitest';
import type { CallBody, ModelCall, Protocol } from '#testing';
import { readConversation } from './conversation.js';

const schema = { type: 'object', properties: {} };
const input = { type: 'object', properties: { path: { type: 'string' } } };
const callOf = (protocol: Protocol, body: CallBody): ModelCall => ({
  number: 1,
  protocol,
  path: '',
  headers: {},
  body,
  model: 'm',
  isStream: false,
  turn: 1,
  tools: ['read_file'],
  usage: null,
  billed: null,
  isAbandoned: false,
});

const expected = {
  text: 'Do it.\nGo on.',
  task: 'Do it.',
  calls: [{ name: 'read_file', input: { path: 'a' }, result: 'content', isError: false }],
  tools: ['read_file'],
  inputs: new Map([['read_file', input]]),
  schema,
  turn: 1,
};

describe('readConversation', () => {
  it("reads Anthropic's messages", () => {
    const messages = [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'read_file', input: { path: 'a' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'content' }] },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ];
    const tools = [{ name: 'read_file', input_schema: input }];
    const body = { messages, tools, output_config: { format: { type: 'json_schema', schema } } };
    expect(readConversation(callOf('anthropic', body))).toEqual(expected);
  });

  it("reads OpenAI's responses", () => {
    const items = [
      { role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] },
      { type: 'function_call', call_id: '1', name: 'read_file', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: '1', output: 'content' },
      { role: 'user', content: 'Go on.' },
    ];
    const tools = [{ type: 'function', name: 'read_file', parameters: input }];
    const body = { input: items, tools, text: { format: { schema } } };
    expect(readConversation(callOf('responses', body))).toEqual(expected);
  });

  it("reads OpenAI's chat completions", () => {
    const call = { id: '1', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    const messages = [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: '1', content: 'content' },
      { role: 'user', content: 'Go on.' },
    ];
    const tools = [{ type: 'function', function: { name: 'read_file', parameters: input } }];
    const body = { messages, tools, response_format: { json_schema: { schema } } };
    expect(readConversation(callOf('completions', body))).toEqual(expected);
  });

  it('takes a call without an answer, arguments that are no JSON, and no schema', () => {
    const items = [{ type: 'function_call', call_id: '1', name: 'run', arguments: '{' }];
    expect(readConversation(callOf('responses', { input: items }))).toMatchObject({
      schema: null,
      calls: [{ name: 'run', input: {}, result: null }],
    });
  });
});
