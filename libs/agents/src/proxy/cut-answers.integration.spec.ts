import { afterEach, describe, expect, it } from 'vitest';
import { costOf } from '#models';
import type { Fault } from '#testing';
import { messages, openProxyUnderTest, post, PRICE } from './proxy-under-test.fixture.js';

const opened: { close(): Promise<void> }[] = [];
async function open(...options: Parameters<typeof openProxyUnderTest>) {
  const under = await openProxyUnderTest(...options);
  opened.push(under);
  return under;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('an answer that breaks off after it said what it was sent', () => {
  const usage = { input: 900, output: 70, cacheRead: 300, cacheWrite: 200, reasoning: 0 };
  const soFar = { ...usage, output: 1 };
  // Of an answer whose connection is reset what was sent before may be lost.
  it.each<[string, Fault]>([
    ['ends early', { kind: 'cut', afterEvents: 4 }],
    ['fails', { kind: 'error-event', afterEvents: 4, type: 'overloaded_error', words: 'x' }],
    ['falls silent', { kind: 'silence', afterEvents: 4 }],
    ['has no end', { kind: 'huge', bytes: 3_000_000 }],
  ])('and then %s counts that, and its answer in full', async (_name, fault) => {
    const under = await open({ limits: { idleMs: 300, answerBytes: 2_000_000 } });
    under.server.use(() => ({ text: 'something to say', usage, fault }));
    const run = await under.admit();
    const body = messages({ max_tokens: 500, messages: [{ role: 'user', content: 'x'.repeat(8_000) }] });
    await Promise.allSettled([post(`${run.url}/v1/messages`, run.token, body).then((answer) => answer.text())]);
    const tally = await run.revoke();
    const { settlement, reserved } = under.ledger.calls[0] ?? {};
    const counted = { tokens: 900 + 200 + 500, nanoUsd: costOf({ ...usage, output: 500 }, PRICE) };
    expect(settlement).toMatchObject({ status: 'cut', usage: soFar, costNanoUsd: null, counted });
    expect(counted.tokens).toBeLessThan((reserved?.tokens ?? 0) / 2);
    expect(tally).toMatchObject({ unknownCosts: 1, costNanoUsd: 0n });
  });

  it('counts in full where another model answered, whose tokens have another price', async () => {
    const under = await open();
    under.server.use(() => ({ text: 'x', usage, model: 'claude-opus-5-5', fault: { kind: 'cut', afterEvents: 3 } }));
    const run = await under.admit();
    await (await post(`${run.url}/v1/messages`, run.token, messages())).text();
    await run.revoke();
    const { settlement, reserved } = under.ledger.calls[0] ?? {};
    expect(settlement).toMatchObject({ status: 'cut', usage: null, counted: reserved });
  });

  it('counts in full where the protocol says nothing before its end', async () => {
    const under = await open();
    under.server.use(() => ({ text: 'x', usage, fault: { kind: 'cut', afterEvents: 3 } }));
    const run = await under.admit({ model: { provider: 'openai', model: 'gpt-6' } });
    const body = { model: 'gpt-6', stream: true, input: 'hello' };
    const authorization = `Bearer ${run.token}`;
    await (await post(`${run.url}/v1/responses`, run.token, body, { authorization })).text();
    await run.revoke();
    const { settlement, reserved } = under.ledger.calls[0] ?? {};
    expect(settlement).toMatchObject({ status: 'cut', usage: null, counted: reserved });
  });
});
