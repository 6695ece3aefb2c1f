import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from '#kernel';
import { redactBody } from './redact-body.js';
import type { Body } from './wire.js';

const LEARNT = 'a learnt "key", and no shape';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const book = new SecretBook([LEARNT]);

function redacted<T extends object>(body: T): T {
  const copy = structuredClone(body);
  redactBody(copy as Body, book);
  return copy;
}
const said = (...content: object[]): Body => ({ messages: [{ role: 'user', content }] });
const answered = (...input: object[]): Body => ({ input });

describe('the words of a request', () => {
  it.each<[string, (secret: string) => Body]>([
    ['a system prompt', (secret) => ({ system: secret })],
    ['a system prompt in blocks', (secret) => ({ system: [{ type: 'text', text: secret }] })],
    ['instructions', (secret) => ({ instructions: secret, input: secret })],
    ['a message', (secret) => ({ messages: [{ role: 'user', content: secret }] })],
    ['a block', (secret) => said({ type: 'text', text: secret })],
    ['a result', (secret) => said({ type: 'tool_result', tool_use_id: 't', content: secret })],
    ['a result in blocks', (secret) => said({ type: 'tool_result', content: [{ type: 'text', text: secret }] })],
    ['a document of plain text', (secret) => said({ type: 'document', title: secret, source: text(secret) })],
    ['thoughts without a signature', (secret) => said({ type: 'thinking', thinking: secret, signature: '' })],
    ['what a tool was called with', (secret) => said({ type: 'tool_use', id: 'i', name: 'Bash', input: any(secret) })],
    ['an item', (secret) => answered({ role: 'user', content: [{ type: 'input_text', text: secret }] })],
    ['an output', (secret) => answered({ type: 'function_call_output', call_id: 'c', output: secret })],
    ['a summary', (secret) => answered({ type: 'reasoning', summary: [{ type: 'summary_text', text: secret }] })],
    ['a call', (secret) => answered({ type: 'function_call', arguments: JSON.stringify(any(secret)) })],
    ['a call of its own kind', (secret) => answered({ type: 'custom_tool_call', input: secret })],
    ['a shell call', (secret) => answered({ type: 'local_shell_call', action: { command: ['echo', secret] } })],
    ['a patch', (secret) => answered({ type: 'apply_patch_call', operation: { type: 'create_file', diff: secret } })],
    ['a result of a completion', (secret) => ({ messages: [{ role: 'tool', tool_call_id: 'c', content: secret }] })],
    ['thoughts of a completion', (secret) => ({ messages: [{ role: 'assistant', reasoning_content: secret }] })],
    ['a call of a completion', (secret) => ({ messages: [{ tool_calls: [calling(JSON.stringify(any(secret)))] }] })],
    ['a tool', (secret) => ({ tools: [{ name: 'f', description: secret, input_schema: { default: secret } }] })],
    ['what nobody here knows', (secret) => ({ new: { words: [secret] } })],
    ['an address in words', (secret) => said({ type: 'search_result', source: secret, content: [] })],
    ['a medium that is none', (secret) => said({ type: 'image', source: { type: 'base64', data: secret } })],
    ['data in plain words', (secret) => said({ type: 'input_image', image_url: `data:text/plain,${secret}` })],
  ])('are without secrets: %s', (_name, of) => {
    for (const secret of [LEARNT, TOKEN]) expect(redacted(of(`(${secret})`))).toEqual(of(`(${BLOT})`));
  });

  const text = (data: string): object => ({ type: 'text', media_type: 'text/plain', data });
  const any = (secret: string): object => ({ id: secret, data: { signature: [`x\n${secret}`] } });
  const calling = (given: string): object => ({ id: 'c', type: 'function', function: { name: 'f', arguments: given } });
});

describe('what a conversation would break without is kept as it is', () => {
  const media = Buffer.from(`${TOKEN} in a picture`).toString('base64');
  it.each<[string, Body]>([
    ['ids', { messages: [{ id: TOKEN, content: [{ type: 'tool_use', id: TOKEN, name: TOKEN, input: {} }] }] }],
    ['the id of a result', said({ type: 'tool_result', tool_use_id: TOKEN, content: 'x' })],
    ['the id of an output', answered({ type: 'function_call_output', call_id: TOKEN, id: TOKEN, output: 'x' })],
    ['the id of a completion’s result', { messages: [{ role: 'tool', tool_call_id: TOKEN, content: 'x' }] }],
    ['the model', { model: TOKEN }],
    ['signed thoughts', said({ type: 'thinking', thinking: `${TOKEN} it is`, signature: TOKEN })],
    ['sealed thoughts', said({ type: 'redacted_thinking', data: TOKEN })],
    ['encrypted reasoning', answered({ type: 'reasoning', id: TOKEN, summary: [], encrypted_content: TOKEN })],
    [
      'reasoning of a completion',
      { messages: [{ reasoning_details: [{ type: 'reasoning.encrypted', data: TOKEN }] }] },
    ],
    ['the sign of a thought', { messages: [{ extra_content: { google: { thought_signature: TOKEN } } }] }],
    ['a picture', said({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: media } })],
    ['a picture of OpenAI’s', said({ type: 'image_url', image_url: { url: `data:image/png;base64,${media}` } })],
    ['a picture of an item', said({ type: 'input_image', image_url: `data:image/png;base64,${media}` })],
    ['a file', said({ type: 'file', file: { filename: 'x', file_data: `data:text/plain;base64,${media}` } })],
    ['a sound', said({ type: 'input_audio', input_audio: { format: 'wav', data: media } })],
  ])('%s', (_name, body) => {
    expect(redacted(body)).toEqual(body);
  });

  it('and the spelling of a call that holds no secret, although it looks so at first', () => {
    const given = '{ "task":  "a task-list", "nr": 1.0 }';
    const body = answered({ type: 'function_call', arguments: given }, { type: 'function_call', arguments: 'task-{' });
    expect(redacted(body)).toEqual(body);
  });
});

it('a request without secrets is sent as it came, whatever it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (body) => {
      expect(JSON.stringify(redacted(body))).toBe(JSON.stringify(body));
    }),
  );
});

it('no text of a conversation lets a secret through, however deep it stands', () => {
  const name = fc.constantFrom('content', 'text', 'output', 'input', 'system', 'arguments', 'new', 'data', 'url');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(TOKEN, `before ${TOKEN} after`, `{"a":"${TOKEN}"}`, JSON.stringify(LEARNT), 'plain'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(name, tie('any'), { maxKeys: 4 }),
      fc.dictionary(name, tie('any'), { maxKeys: 4 }).map((block) => ({ ...block, type: 'tool_use' })),
    ),
  })).any;
  fc.assert(
    fc.property(value, (content) => {
      const sent = JSON.stringify(redacted({ messages: [content] }));
      expect(sent).not.toContain(TOKEN);
      expect(sent).not.toContain('a learnt');
    }),
    { numRuns: 500 },
  );
});

it('input that is dear to parse is refused', () => {
  const given = `["${TOKEN}"${',[]'.repeat(1_100_000)}]`;
  expect(() => redacted(answered({ type: 'function_call', arguments: given }))).toThrow('too many values');
});
