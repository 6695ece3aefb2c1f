import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, type Fault, startModelServer } from '#testing';
import { listenAs, messages, openProxyUnderTest, post, PROVIDER_KEY } from './proxy-under-test.fixture.js';

const opened: { close(): Promise<void> }[] = [];
async function open(...options: Parameters<typeof openProxyUnderTest>) {
  const under = await openProxyUnderTest(...options);
  opened.push(under);
  return under;
}
async function listen(listener: RequestListener): Promise<string> {
  const listening = await listenAs(listener);
  opened.push(listening);
  return listening.url;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['429', { kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 'failed'],
  ['500', { kind: 'status', status: 500 }, 'failed'],
  ['529', { kind: 'status', status: 529 }, 'failed'],
  ['401', { kind: 'status', status: 401 }, 'failed'],
  ['408, after which the model may have worked', { kind: 'status', status: 408 }, 'cut'],
  ['504, after which the model may have worked', { kind: 'status', status: 504 }, 'cut'],
  ['524, after which the model may have worked', { kind: 'status', status: 524 }, 'cut'],
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
    if (settlement?.status === 'cut' && settlement.usage === null) expect(settlement.counted).toEqual(reserved);
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

it.each<[string, Fault, RegExp]>([
  // What was sent before a reset may be lost with it.
  ['a line that breaks', { kind: 'reset', afterEvents: 2 }, /^MODEL_(?:CUT_OFF|UNREACHABLE)$/],
  ['one that breaks before the first byte', { kind: 'reset', afterEvents: 0 }, /^MODEL_UNREACHABLE$/],
  ['one that falls silent', { kind: 'silence', afterEvents: 2 }, /^MODEL_TIMEOUT$/],
])('%s is remembered as what may be tried again', async (_name, fault, code) => {
  const under = await open({ limits: { idleMs: 300 } });
  under.server.use(() => ({ text: 'something to say', fault }));
  const run = await under.admit();
  const said = post(`${run.url}/v1/messages`, run.token, messages()).then((answer) => answer.text());
  await Promise.allSettled([said]);
  expect((await run.revoke()).lastError).toMatchObject({
    code: expect.stringMatching(code) as string,
    remedy: 'retry',
  });
});

it.each<[string, Fault]>([
  ['a stream that ends early', { kind: 'cut', afterEvents: 2 }],
  ['a page of HTML', { kind: 'html' }],
  ['an empty answer', { kind: 'empty' }],
])('%s is remembered as an answer that was cut off, until one comes whole', async (_name, fault) => {
  const under = await open();
  under.server.use([{ text: 'something to say', fault }, { text: 'something to say', fault }, { text: 'ok' }]);
  const run = await under.admit();
  const ask = async (): Promise<string> => (await post(`${run.url}/v1/messages`, run.token, messages())).text();
  for (const nth of [1, 2]) {
    await ask();
    await eventually('it is settled', () => under.ledger.calls[nth - 1]?.settlement);
    expect(run.tally()).toMatchObject({
      lastError: { code: 'MODEL_CUT_OFF', remedy: 'retry' },
      failing: { inRow: nth },
    });
  }
  await ask();
  expect(await run.revoke()).toMatchObject({ lastError: null, failing: { inRow: 0 } });
});

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const status = (code: number, more: Partial<Extract<Fault, { kind: 'status' }>> = {}): Fault => ({
  kind: 'status',
  status: code,
  ...more,
});
const WAITS: readonly (readonly [string, 'anthropic' | 'openai', Fault, string, number | null])[] = [
  ['a rate limit that does not say when', 'anthropic', status(429), 'MODEL_RATE_LIMITED', 60],
  [
    'the limit that is used up',
    'anthropic',
    status(429, {
      headers: {
        'anthropic-ratelimit-tokens-reset': inAnHour(),
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-requests-reset': new Date().toISOString(),
      },
    }),
    'MODEL_RATE_LIMITED',
    3_600,
  ],
  ['a reset', 'openai', status(429, { headers: { 'x-ratelimit-reset-tokens': '6m0s' } }), 'MODEL_RATE_LIMITED', 360],
  ['an overload', 'anthropic', status(529), 'MODEL_OVERLOADED', 30],
  ['a used-up quota', 'openai', status(429, { code: 'insufficient_quota' }), 'MODEL_QUOTA', 3_600],
  ['no credit', 'anthropic', status(400, { words: 'Your credit balance is too low.' }), 'MODEL_QUOTA', 3_600],
  ['a wait for ever', 'anthropic', status(429, { headers: { 'retry-after': '1e9' } }), 'MODEL_RATE_LIMITED', 60],
  ['a failing server', 'openai', status(500), 'MODEL_SERVER_ERROR', null],
  ['a refused request', 'openai', status(400), 'MODEL_BAD_REQUEST', null],
  [
    'an overload in the middle of an answer',
    'anthropic',
    { kind: 'error-event', afterEvents: 2, type: 'overloaded_error', words: 'x' },
    'MODEL_OVERLOADED',
    30,
  ],
  [
    'a failure in the middle of an answer',
    'anthropic',
    { kind: 'error-event', afterEvents: 2, type: 'api_error', words: 'x' },
    'MODEL_SERVER_ERROR',
    null,
  ],
];

describe('an error is judged as that of a provider’s own is', () => {
  it.each(WAITS)('%s', async (_name, provider, fault, code, waitSeconds) => {
    const under = await open();
    under.server.use(() => ({ text: 'something to say', fault }));
    const model = 'gpt-6-mini';
    const run = await under.admit(provider === 'openai' ? { model: { provider, model } } : {});
    const body = provider === 'openai' ? { model, stream: true, input: 'hello' } : messages();
    const path = provider === 'openai' ? 'responses' : 'messages';
    const before = Date.now();
    await (await post(`${run.url}/v1/${path}`, run.token, body)).text();
    const { rateLimit, lastError } = await run.revoke();
    expect(under.ledger.calls[0]?.settlement?.errorCode).toBe(code);
    if (waitSeconds === null) expect([rateLimit, lastError?.status]).toEqual([null, lastError?.status]);
    else expect(Math.round(((rateLimit?.resetAt ?? 0) - before) / 10_000) * 10).toBe(waitSeconds);
  });
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
    const isError = request.headers['user-agent'] === 'error';
    out.writeHead(isError ? 400 : 200, { 'content-type': 'application/json', 'x-request-id': PROVIDER_KEY });
    const text = `{"echo":"${String(request.headers['x-api-key'])}","more":"sk-ant-the-"}`;
    for (const letter of text) out.write(letter);
    out.end();
  };
  const under = await open({ baseUrl: await listen(echo) });
  const run = await under.admit();
  for (const beta of ['error', 'fine']) {
    const answer = await post(`${run.url}/v1/messages`, run.token, messages(), { 'user-agent': beta });
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
