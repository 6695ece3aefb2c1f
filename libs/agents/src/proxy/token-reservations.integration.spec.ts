import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { MODEL, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

let under: Awaited<ReturnType<typeof openProxyUnderTest>>;
beforeEach(async () => {
  under = await openProxyUnderTest();
});
afterEach(() => under.close());

const GPT = 'gpt-5.5';
const wires = [
  [
    'Anthropic',
    { provider: 'anthropic', model: MODEL },
    '/v1/messages',
    (content: JsonObject[]): JsonObject => ({ model: MODEL, messages: content }),
  ],
  [
    'OpenAI',
    { provider: 'openai', model: GPT },
    '/v1/responses',
    (content: JsonObject[]): JsonObject => ({ model: GPT, input: content }),
  ],
] as const;

it.each(wires)(
  'a conversation with %s sets aside tokens for what is new, and money for all',
  async (_name, model, path, bodyOf) => {
    const run = await under.admit({ model });
    const messages: JsonObject[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      messages.push({ role: 'user', content: 'x'.repeat(40_000) });
      const prompt = 10_000 * messages.length;
      under.server.use([
        { text: 'ok', usage: { input: 200, output: 5, cacheRead: prompt - 10_000, cacheWrite: 9_800 } },
      ]);
      const answer = await post(`${run.url}${path}`, run.token, bodyOf(messages), {
        authorization: `Bearer ${run.token}`,
      });
      expect(answer.status).toBe(200);
      await answer.text();
      messages.push({ role: 'assistant', content: 'ok' });
    }
    await run.revoke();
    const reserved = under.ledger.calls.map((call) => call.reserved);
    for (const { tokens } of reserved) {
      expect(tokens).toBeGreaterThan(40_000 + 1_000);
      expect(tokens).toBeLessThan(45_000);
    }
    const money = reserved.map(({ nanoUsd }) => nanoUsd);
    // A token of the prompt may cost 1,250 nano-dollars, and has at least a byte.
    expect(money.every((nano, nth) => nano > BigInt(40_000 * (nth + 1)) * 1_250n)).toBe(true);
  },
);

const DATA = 'A'.repeat(400_000);
const pictures: Record<string, JsonObject> = {
  Anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
  OpenAI: { type: 'input_image', image_url: `data:image/png;base64,${DATA}` },
};
const documents: Record<string, JsonObject> = {
  Anthropic: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: DATA } },
  OpenAI: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${DATA}` },
};

it.each(wires)('a picture and a document to %s leave most of the cap of tokens', async (name, model, path, bodyOf) => {
  under.server.use(() => ({ text: 'ok' }));
  const run = await under.admit({ model });
  for (const block of [pictures[name], documents[name]]) {
    const body = bodyOf([{ role: 'user', content: [block ?? null] }]);
    const answer = await post(`${run.url}${path}`, run.token, body, { authorization: `Bearer ${run.token}` });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await run.revoke();
  const [picture, document] = under.ledger.calls.map(({ reserved }) => reserved);
  expect(picture?.tokens).toBeLessThan(60_000);
  expect(document?.tokens).toBeLessThan(120_000);
  // For money a document may be as long as what the model can hold.
  expect(document && document.nanoUsd > 200_000n * 1_250n).toBe(true);
});
