import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { listenAs, MODEL, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

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
