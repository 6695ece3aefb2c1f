import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOT, type JsonObject } from '#kernel';
import { listenAs, messages, MODEL, openProxyUnderTest, post, PROVIDER_KEY } from './proxy-under-test.fixture.js';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const LEAK = 'https://evil.example/?leak=words';
const MODELS: Readonly<Record<string, string>> = { anthropic: MODEL, openai: 'gpt-x', compatible: 'own' };

const got: { path: string; body: string }[] = [];
const closed: { close(): Promise<void> }[] = [];
let baseUrl: string;
beforeEach(async () => {
  got.length = 0;
  const provider = await listenAs((request, out) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      got.push({ path: request.url ?? '', body });
      out.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
    });
  });
  closed.push(provider);
  baseUrl = provider.url;
});
afterEach(async () => {
  for (const one of closed.splice(0).reverse()) await one.close();
});

async function sent(provider: string, path: string, body: JsonObject) {
  const under = await openProxyUnderTest({ baseUrl });
  closed.push(under);
  const model = MODELS[provider] ?? '';
  const run = await under.admit({ model: { provider, model } });
  const answer = await post(`${run.url}${path}`, run.token, { ...body, model });
  return { ...under, status: answer.status, text: await answer.text() };
}

const asked = (...content: JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] });
const completion = '/v1/chat/completions';

describe('a link that would carry words out is refused on every route', () => {
  const picture = asked({ type: 'image', source: { type: 'url', url: LEAK } });
  it.each<[string, string, JsonObject]>([
    ['anthropic', '/v1/messages', picture],
    ['anthropic', '/v1/messages/count_tokens', picture],
    ['anthropic', '/v1/messages/count_tokens', asked({ type: 'document', source: { type: 'file', file_id: 'f_1' } })],
    ['openai', '/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: LEAK }] }] }],
    ['openai', completion, asked({ type: 'image_url', image_url: { url: LEAK } })],
    ['compatible', completion, asked({ type: 'image_url', image_url: { url: LEAK } })],
  ])('%s %s', async (provider, path, body) => {
    const { status, text } = await sent(provider, path, body);
    expect([status, text, got]).toEqual([400, expect.stringContaining('PROMPT_UNBOUNDED'), []]);
  });
});

describe('secrets that a CLI came by do not reach the provider', () => {
  const words = `PASSWORD=${TOKEN}\nKEY=${PROVIDER_KEY}`;
  const result = asked({ type: 'tool_result', tool_use_id: 'toolu_1', content: words });
  it.each<[string, string, JsonObject]>([
    ['anthropic', '/v1/messages', { ...messages({ stream: false, system: words }), ...result }],
    ['anthropic', '/v1/messages/count_tokens', { system: words, ...result }],
    ['openai', '/v1/responses', { input: [{ type: 'function_call_output', call_id: 'call_1', output: words }] }],
    ['openai', completion, { messages: [{ role: 'tool', tool_call_id: 'call_1', content: words }] }],
    ['compatible', completion, { messages: [{ role: 'tool', tool_call_id: 'call_1', content: words }] }],
  ])('%s %s', async (provider, path, body) => {
    const { ledger } = await sent(provider, path, body);
    const [{ body: text = '' } = {}] = got;
    expect(text).toContain(`PASSWORD=${BLOT}\\nKEY=${BLOT}`);
    expect(text).not.toMatch(new RegExp(`${TOKEN}|${PROVIDER_KEY}`));
    expect(text).toMatch(/"(?:toolu|call)_1"/);
    expect(ledger.calls).toHaveLength(path.endsWith('count_tokens') ? 0 : 1);
  });

  it('and what is set aside is for the body that is sent', async () => {
    const plain = await sent('anthropic', '/v1/messages', messages({ system: BLOT.repeat(1_000) }));
    const secret = await sent('anthropic', '/v1/messages', messages({ system: `${TOKEN} `.repeat(1_000) }));
    const spaced = await sent('anthropic', '/v1/messages', messages({ system: `${BLOT} `.repeat(1_000) }));
    const [first, second, third] = [plain, secret, spaced].map(({ ledger }) => ledger.calls[0]?.reserved);
    expect(second).toEqual(third);
    expect(first).not.toEqual(second);
  });
});
