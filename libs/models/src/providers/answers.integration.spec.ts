import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testing';
import type { Message } from '../model.port.js';
import { chat, failure, MAKERS } from './under-test.fixture.js';

let server: ModelServer;
beforeAll(async () => (server = await startModelServer()));
afterAll(() => server.stop());

const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const lastBody = () => server.calls.at(-1)?.body ?? {};

describe.each(MAKERS)('an answer of %s', (_name, make) => {
  it('is put together from its pieces, with every class of tokens and the names the provider gave', async () => {
    const usage = { input: 70, output: 30, cacheRead: 20, cacheWrite: 10, reasoning: 5 };
    server.use([{ text: 'Grüße, 🌍!', usage, model: 'model-as-served', pieces: 4 }]);
    const answer = await chat(make(server));
    expect(answer).toMatchObject({ text: 'Grüße, 🌍!', stop: 'end', toolCalls: [], usage, model: 'model-as-served' });
    expect(answer.id).not.toBe('');
    expect(answer.isUsageKnown).toBeUndefined();
  });

  it('is told while it comes, and what is no answer is not', async () => {
    const seen: number[] = [];
    const listener = { onBytes: (bytes: number) => void seen.push(bytes) };
    server.use([{ text: 'Piece by piece.', everyMs: 5 }, { fault: { kind: 'status', status: 400, words: 'no' } }]);
    await chat(make(server), {}, listener);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const answered = seen.length;
    await failure(chat(make(server), {}, listener));
    expect(seen).toHaveLength(answered);
  });

  it('is whole however the bytes of its stream are cut', async () => {
    server.use([{ text: '🌍 und ✨', toolCalls: [{ name: 'read_file', input: { path: 'ä.txt' } }], chunkBytes: 5 }]);
    const answer = await chat(make(server), { tools: [READ_FILE] });
    expect(answer).toMatchObject({ text: '🌍 und ✨', toolCalls: [{ name: 'read_file', input: { path: 'ä.txt' } }] });
  });

  it('may call several tools, and the conversation goes on with their results', async () => {
    server.use([
      {
        thinking: 'Two files.',
        text: 'I look.',
        toolCalls: [
          { name: 'read_file', input: { path: 'a' } },
          { name: 'read_file', input: { path: 'b' } },
        ],
      },
      { text: 'Seen.' },
    ]);
    const provider = make(server);
    const question: Message = { role: 'user', text: 'Look at a and b.' };
    const first = await chat(provider, { tools: [READ_FILE], messages: [question] });
    expect(first.stop).toBe('tools');
    expect(first.toolCalls.map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    // What is journalled is JSON: the answer must survive that.
    const { text, toolCalls, raw } = JSON.parse(JSON.stringify(first)) as typeof first;
    const results = toolCalls.map(({ id }, index) => ({ callId: id, text: `content ${index}`, isError: index === 1 }));
    const second = await chat(provider, {
      tools: [READ_FILE],
      messages: [question, { role: 'assistant', text, toolCalls, raw }, { role: 'tools', results }],
    });
    expect(second).toMatchObject({ text: 'Seen.', stop: 'end' });
    expect(JSON.stringify(lastBody())).toMatch(/Two files\.|sealed-/);
    expect(JSON.stringify(lastBody())).toContain('content 1');
  });

  it('keeps arguments that are no JSON as the text they are', async () => {
    server.use([{ toolCalls: [{ name: 'read_file', argumentsText: '{"path": "a' }] }]);
    const answer = await chat(make(server), { tools: [READ_FILE] });
    expect(answer.toolCalls).toMatchObject([{ name: 'read_file', input: '{"path": "a' }]);
    const messages: Message[] = [
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text: answer.text, toolCalls: answer.toolCalls, raw: answer.raw },
      { role: 'tools', results: [{ callId: answer.toolCalls[0]?.id ?? '', text: 'no JSON', isError: true }] },
    ];
    server.use([{ text: 'Again.' }]);
    await expect(chat(make(server), { tools: [READ_FILE], messages })).resolves.toMatchObject({ text: 'Again.' });
  });

  it.each([
    ['length', { text: 'half a', stop: 'length' }],
    ['length', { text: 'half a', stop: 'context' }],
    ['refused', { text: 'I will not.', stop: 'refused' }],
  ] as const)('says that it stopped for %s', async (stop, reply) => {
    server.use([reply]);
    await expect(chat(make(server))).resolves.toMatchObject({ stop, text: reply.text });
  });

  it('asks for JSON of a schema in the protocol of the provider, and never forces a tool', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    server.use([{ text: '{"ok":true}' }]);
    const answer = await chat(make(server), { output: { name: 'a verdict', schema } });
    expect(answer.text).toBe('{"ok":true}');
    const { output_config, text, response_format, tool_choice } = lastBody();
    expect(JSON.stringify(output_config ?? text ?? response_format)).toContain(JSON.stringify(schema));
    expect(tool_choice).toBeUndefined();
  });

  it('bounds what the answer may cost in every request', async () => {
    server.use([{ text: 'ok' }]);
    await chat(make(server), { maxOutputTokens: 321 });
    const { max_tokens, max_output_tokens } = lastBody();
    expect(max_tokens ?? max_output_tokens).toBe(321);
  });

  it('says that nobody counted where the server reports no usage', async () => {
    server.use([{ text: 'ok', usage: null }]);
    await expect(chat(make(server))).resolves.toMatchObject({ text: 'ok', isUsageKnown: false });
  });
});
