import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, expect, it } from 'vitest';
import type { SpanFacts, Trace } from '#kernel';
import { listenAs, messages, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

const current = new AsyncLocalStorage<string>();
let close: () => Promise<void>;
afterEach(() => close());

async function openTraced(baseUrl?: string) {
  const spans: { about: string; facts: SpanFacts }[] = [];
  const trace: Trace = {
    within: async (kind, about, facts, work) => {
      const all = { ...facts };
      spans.push({ about: `${kind} ${about}`, facts: all });
      return work((more) => Object.assign(all, more));
    },
    traceId: () => current.getStore() ?? null,
  };
  const under = await openProxyUnderTest({ trace, ...(baseUrl !== undefined && { baseUrl }) });
  close = under.close;
  const run = await current.run('the-trace', () => under.admit());
  const call = async (): Promise<number> => {
    const answer = await post(`${run.url}/v1/messages`, run.token, messages());
    await answer.text().catch(() => 'cut');
    return answer.status;
  };
  return { ...under, spans, run, call };
}

it('every call is a span with its model, tokens, cost and end, in the trace of its run', async () => {
  const { server, ledger, spans, run, call } = await openTraced();
  server.use(() => ({
    text: 'x',
    usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 1 },
    model: 'claude-haiku-5-5-20261001',
  }));
  await call();
  await run.revoke();
  const facts = {
    provider: 'anthropic',
    model: 'claude-haiku-5-5',
    agent: 'builder',
    purpose: 'a test',
    prompt: 'test@1',
    tier: 'small',
    simulated: false,
    input: 7,
    output: 3,
    cacheRead: 2,
    cacheWrite: 1,
    reasoning: 0,
    status: 'done',
    costUsd: '0.00002345',
    errorCode: null,
    answeredBy: 'claude-haiku-5-5-20261001',
  };
  expect(spans).toMatchObject([{ about: 'chat claude-haiku-5-5', facts }]);
  expect(ledger.calls[0]?.traceId).toBe('the-trace');
});

it('a call that failed, was cut off or could not be settled says so', async () => {
  const { server, ledger, spans, run, call, errors } = await openTraced();
  server.use([
    { fault: { kind: 'status', status: 400 } },
    { text: 'x', fault: { kind: 'cut', afterEvents: 2 } },
    { text: 'x', usage: { input: 7, output: 3 } },
  ]);
  await call();
  await call();

  ledger.settle = () => Promise.reject(new Error('it cannot be written'));
  await call();
  await run.revoke();
  const told = spans.map(({ facts: { status, errorCode, costUsd } }) => [status, errorCode, costUsd]);
  expect(told).toEqual([
    ['failed', 'MODEL_BAD_REQUEST', '0.00'],
    ['cut', 'MODEL_USAGE_UNKNOWN', null],
    ['lost', null, null],
  ]);
  expect(errors).toHaveLength(1);
});

it.each(['-5', '1e30', '1.5', '"7"', '99999999999'])(
  'a provider that counts %s tokens counts for nothing',
  async (count) => {
    const usage = `{"input_tokens":7,"output_tokens":${count}}`;
    const listening = await listenAs((_request, out) => {
      out.writeHead(200, { 'content-type': 'application/json' });
      out.end(`{"type":"message","id":"m","model":"claude-haiku-5-5","usage":${usage}}`);
    });
    const { ledger, spans, run, call } = await openTraced(listening.url);
    await call();
    const { usage: used, unknownCosts } = await run.revoke();
    await listening.close();
    const { settlement, reserved } = ledger.calls[0] ?? {};
    expect(settlement).toMatchObject({ status: 'cut', usage: null, costNanoUsd: null, counted: reserved });
    expect([used.output, unknownCosts]).toEqual([0, 1]);
    expect(spans[0]?.facts).toMatchObject({ status: 'cut', costUsd: null });
    expect(spans[0]?.facts).not.toHaveProperty('output');
  },
);

it('a call that was never sent is none', async () => {
  const { ledger, server, spans, run, call } = await openTraced();
  ledger.capNanoUsd = 1n;
  expect(await call()).toBe(400);
  ledger.capNanoUsd = 10n ** 12n;
  ledger.isStale = true;
  expect(await call()).toBe(400);
  expect((await run.revoke()).calls).toBe(0);
  expect([spans, server.calls]).toEqual([[], []]);
});

it('a question that costs nothing is a span too, and no call of a model', async () => {
  const listening = await listenAs((request, out) => {
    request.resume();
    out.writeHead(request.method === 'GET' ? 404 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  const { ledger, spans, run } = await openTraced(listening.url);
  await (await post(`${run.url}/v1/messages/count_tokens`, run.token, messages())).text();
  const models = await fetch(`${run.url}/v1/models/x`, { headers: { 'x-api-key': run.token } });
  await models.text();
  await run.revoke();
  await listening.close();
  const asked = { provider: 'anthropic', model: 'claude-haiku-5-5', agent: 'builder', purpose: 'a test' };
  expect(spans).toMatchObject([
    { about: 'inquiry /v1/messages/count_tokens', facts: { ...asked, status: 'done', errorCode: null } },
    { about: 'inquiry /v1/models/x', facts: { ...asked, status: 'failed', errorCode: 'HTTP_404' } },
  ]);
  expect(ledger.calls).toEqual([]);
});
