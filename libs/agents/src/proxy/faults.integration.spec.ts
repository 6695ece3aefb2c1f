import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type SpanFacts, type Trace } from '#kernel';
import { eventually, type Fault, startModelServer } from '#testing';
import { messages, openProxyUnderTest, post, PROVIDER_KEY } from './proxy-under-test.fixture.js';

const opened: { close(): Promise<void> }[] = [];
async function open(...options: Parameters<typeof openProxyUnderTest>) {
  const under = await openProxyUnderTest(...options);
  opened.push(under);
  return under;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['429', { kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 'failed'],
  ['500', { kind: 'status', status: 500 }, 'failed'],
  ['529', { kind: 'status', status: 529 }, 'failed'],
  ['401', { kind: 'status', status: 401 }, 'failed'],
  [
    'an error event in the stream',
    { kind: 'error-event', afterEvents: 2, type: 'overloaded_error', words: 'x' },
    'cut',
  ],
  ['a stream that ends early', { kind: 'cut', afterEvents: 2 }, 'cut'],
  ['a reset in the stream', { kind: 'reset', afterEvents: 2 }, 'cut'],
  ['a reset before the first byte', { kind: 'reset', afterEvents: 0 }, 'cut'],
  ['silence before the first byte', { kind: 'silence', afterEvents: 0 }, 'cut'],
  ['silence in the stream', { kind: 'silence', afterEvents: 2 }, 'cut'],
  ['a slow drip', { kind: 'drip', everyMs: 20 }, 'cut'],
  ['malformed data', { kind: 'malformed', afterEvents: 1 }, 'done'],
  ['a page of HTML', { kind: 'html' }, 'failed'],
  ['an empty answer', { kind: 'empty' }, 'cut'],
  ['an answer without end', { kind: 'huge', bytes: 3_000_000 }, 'cut'],
];

describe('what goes wrong at the provider ends in time, and is in the ledger', () => {
  it.each(FAULTS)('%s', async (_name, fault, end) => {
    const limits = { headersMs: 300, idleMs: 300, callMs: 900, answerBytes: 2_000_000 };
    const under = await open({ limits });
    under.server.use(() => ({ text: 'something to say', fault }));
    const run = await under.admit();
    const status = await post(`${run.url}/v1/messages`, run.token, messages()).then(
      async (answer) => {
        await answer.text().catch(() => 'cut');
        return answer.status;
      },
      () => null,
    );
    const tally = await run.revoke();
    expect(under.ledger.calls).toHaveLength(1);
    const { settlement, reserved } = under.ledger.calls[0] ?? {};
    if (fault.kind === 'html') expect(['failed', 'cut']).toContain(settlement?.status);
    else if (fault.kind === 'malformed') expect(['done', 'cut']).toContain(settlement?.status);
    else expect(settlement?.status).toBe(end);
    if (settlement?.status === 'cut') expect(settlement.counted).toEqual(reserved);
    if (settlement?.status === 'failed') expect(settlement.counted.nanoUsd).toBe(0n);
    if (fault.kind === 'status') expect([status, tally.lastError?.status]).toEqual([fault.status, fault.status]);
    expect(tally.underWay).toBe(0);
  });
});

it('a provider that asks to wait is remembered with its time, until a call succeeds', async () => {
  const under = await open();
  under.server.use([
    { fault: { kind: 'status', status: 429, headers: { 'retry-after': '120' }, words: 'slow down' } },
    { text: 'ok' },
  ]);
  const run = await under.admit();
  const before = Date.now();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '120']);
  await eventually('it is settled', () => under.ledger.calls[0]?.settlement);
  const { rateLimit } = run.tally();
  expect(rateLimit?.words).toContain('slow down');
  expect((rateLimit?.resetAt ?? 0) - before).toBeGreaterThanOrEqual(120_000);
  await (await post(`${run.url}/v1/messages`, run.token, messages())).text();
  expect((await run.revoke()).rateLimit).toBeNull();
});

it('a client that goes away ends the call upstream, which is settled as cut', async () => {
  const under = await open();
  under.server.use(() => ({ text: 'x', fault: { kind: 'silence', afterEvents: 2 } }));
  const run = await under.admit();
  const gone = new AbortController();
  const answer = await fetch(`${run.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': run.token },
    body: JSON.stringify(messages()),
    signal: gone.signal,
  });
  expect(answer.status).toBe(200);
  gone.abort();
  await eventually('the provider sees it', () => under.server.calls[0]?.isAbandoned);
  await eventually('it is settled', () => under.ledger.ends()[0] === 'cut');
  await run.revoke();
});

it('revoking a run cuts off its calls and waits until they are settled', async () => {
  const under = await open();
  under.server.use(() => ({ text: 'x', fault: { kind: 'silence', afterEvents: 0 } }));
  const run = await under.admit();
  const calls = Array.from({ length: 4 }, () => post(`${run.url}/v1/messages`, run.token, messages()));
  await eventually('all are under way', () => under.server.calls.length === 4);
  const tally = await run.revoke();
  expect(tally).toMatchObject({ underWay: 0, calls: 4, unknownCosts: 4 });
  expect(under.ledger.ends()).toEqual(['cut', 'cut', 'cut', 'cut']);
  await Promise.allSettled(calls);
});

it('a slow reader slows the provider down instead of filling the memory', async () => {
  const big = Buffer.alloc(256 * 1024, 'x');
  let isStopped = false;
  const under = await open({
    baseUrl: await listen((_request, out) => {
      out.writeHead(200, { 'content-type': 'text/event-stream' });
      let sent = 0;
      const push = (): void => {
        while (sent < 200) {
          sent += 1;
          if (!out.write(big)) {
            isStopped = sent < 200;
            return void out.once('drain', push);
          }
        }
        out.end();
      };
      push();
    }),
  });
  const run = await under.admit();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  await eventually('the provider is held back', () => isStopped);
  await answer.body?.cancel();
  await run.revoke();
});

it('nothing that the provider says carries its key', async () => {
  const echo: RequestListener = (request, out) => {
    const isError = request.headers['anthropic-beta'] === 'error';
    out.writeHead(isError ? 400 : 200, { 'content-type': 'application/json', 'x-request-id': PROVIDER_KEY });
    const text = `{"echo":"${String(request.headers['x-api-key'])}","more":"sk-ant-the-"}`;
    for (const letter of text) out.write(letter);
    out.end();
  };
  const under = await open({ baseUrl: await listen(echo) });
  const run = await under.admit();
  for (const beta of ['error', 'fine']) {
    const answer = await post(`${run.url}/v1/messages`, run.token, messages(), { 'anthropic-beta': beta });
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ echo: '*'.repeat(PROVIDER_KEY.length), more: 'sk-ant-the-' });
    expect(JSON.stringify([...answer.headers])).not.toContain(PROVIDER_KEY);
  }
  expect(JSON.stringify((await run.revoke()).lastError)).not.toContain(PROVIDER_KEY);
});

it('a provider that wants no key is one too', async () => {
  const under = await open({ apiKey: '', server: await startModelServer() });
  under.server.use([{ text: 'hi' }, { fault: { kind: 'status', status: 400, words: 'no' } }]);
  const run = await under.admit();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  expect(await answer.text()).toContain('message_stop');
  const refused = await post(`${run.url}/v1/messages`, run.token, messages());
  expect(await refused.json()).toMatchObject({ error: { message: 'no' } });
  await run.revoke();
});

it('a provider that is not there costs nothing and is said so', async () => {
  const under = await open({ baseUrl: 'http://127.0.0.1:1' });
  const run = await under.admit();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ error: { type: 'api_error' } });
  await run.revoke();
  expect(under.ledger.calls[0]?.settlement).toMatchObject({ status: 'failed', costNanoUsd: 0n });
});

it('every call is a span with its model, tokens and cost, in the trace of its run', async () => {
  const spans: { about: string; facts: SpanFacts }[] = [];
  const current = new AsyncLocalStorage<string>();
  const trace: Trace = {
    within: async (kind, about, facts, work) => {
      const all = { ...facts };
      spans.push({ about: `${kind} ${about}`, facts: all });
      return work((more) => Object.assign(all, more));
    },
    traceId: () => current.getStore() ?? null,
  };
  const under = await open({ trace });
  under.server.use(() => ({ text: 'x', usage: { input: 7, output: 3 } }));
  const run = await current.run('the-trace', () => under.admit());
  await (await post(`${run.url}/v1/messages`, run.token, messages())).text();
  await run.revoke();
  expect(spans).toMatchObject([
    {
      about: 'chat claude-haiku-5-5',
      facts: { provider: 'anthropic', agent: 'builder', input: 7, output: 3, costUsd: 0.000022 },
    },
  ]);
  expect(under.ledger.calls[0]?.traceId).toBe('the-trace');
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
