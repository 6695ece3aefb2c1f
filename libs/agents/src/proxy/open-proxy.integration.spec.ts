import { existsSync, readdirSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { eventually } from '#testing';
import { messages, MODEL, openProxyUnderTest, post, PROVIDER_KEY } from './proxy-under-test.fixture.js';

let under: Awaited<ReturnType<typeof openProxyUnderTest>>;
beforeEach(async () => {
  under = await openProxyUnderTest();
});
afterEach(() => under.close());

const errorOf = async (answer: Response): Promise<JsonObject> => ((await answer.json()) as { error: JsonObject }).error;

describe('a call through the proxy', () => {
  it('is passed on with the key of the provider, and settled with what the stream reported', async () => {
    under.server.use([{ text: 'hi there', usage: { input: 12, output: 34, cacheRead: 5, cacheWrite: 6 } }]);
    const run = await under.admit();
    const answer = await post(`${run.url}/v1/messages?beta=true`, run.token, messages());
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('message_stop');
    const tally = await run.revoke();
    expect(under.server.calls[0]?.headers['x-api-key']).toBe(PROVIDER_KEY);
    expect(under.ledger.calls[0]?.settlement).toMatchObject({
      status: 'done',
      answeredBy: MODEL,
      usage: { input: 12, output: 34, cacheRead: 5, cacheWrite: 6 },
    });
    expect(tally).toMatchObject({ calls: 1, underWay: 0, unknownCosts: 0, lastError: null });
    expect(tally.costNanoUsd).toBe(under.ledger.cost());
    expect(tally.costNanoUsd).toBe(12_000n + 170_000n + 500n + 7_500n);
  });

  it('arrives byte for byte as the provider sent it, and before the provider has finished', async () => {
    under.server.use(() => ({ text: 'a long story of many pieces', pieces: 5, everyMs: 40, chunkBytes: 7 }));
    const run = await under.admit();
    const direct = await post(`${under.server.url}/v1/messages`, PROVIDER_KEY, messages({ max_tokens: 1 }));
    const expected = (await direct.text()).replace(/msg_\w+/g, 'ID');
    const answer = await post(`${run.url}/v1/messages`, run.token, messages({ max_tokens: 1 }));
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(under.server.calls[1]?.billed).not.toBeNull();
    const parts = [first?.value ?? new Uint8Array()];
    let pieces = 1;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      parts.push(next.value);
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(3);
    expect(
      Buffer.concat(parts)
        .toString()
        .replace(/msg_\w+/g, 'ID'),
    ).toBe(expected);
    await run.revoke();
  });

  it('is understood in both of OpenAI’s APIs, as a stream and as one answer', async () => {
    under.server.use(() => ({ text: 'hi', usage: { input: 60, output: 20, cacheRead: 40, reasoning: 5 } }));
    const run = await under.admit({ model: { provider: 'openai', model: 'gpt-5.5' } });
    for (const stream of [true, false]) {
      const responses = { model: 'gpt-5.5', stream, input: 'hello' };
      const completion = { model: 'gpt-5.5', stream, messages: [{ role: 'user', content: 'hello' }] };
      const bearer = { authorization: `Bearer ${run.token}` };
      for (const [path, body] of [
        ['responses', responses],
        ['chat/completions', completion],
      ] as const) {
        const answer = await fetch(`${run.url}/v1/${path}`, {
          method: 'POST',
          headers: bearer,
          body: JSON.stringify(body),
        });
        expect(answer.status).toBe(200);
        await answer.text();
      }
    }
    await run.revoke();
    const usage = { input: 60, output: 20, cacheRead: 40, cacheWrite: 0, reasoning: 5 };
    expect(under.ledger.calls.map(({ settlement }) => settlement?.usage)).toEqual([usage, usage, usage, usage]);
    const asked = under.server.calls.map(({ body }) => body['max_output_tokens'] ?? body['max_completion_tokens']);
    expect(asked).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(under.server.calls[1]?.body['stream_options']).toEqual({ include_usage: true });
  });

  it('asks for no more output than the run may have, and reserves what it asks for', async () => {
    under.server.use(() => ({ text: 'x' }));
    const run = await under.admit();
    for (const max_tokens of [50, 64_000, -3, 'many']) {
      await (await post(`${run.url}/v1/messages`, run.token, messages({ max_tokens }))).text();
    }
    await run.revoke();
    expect(under.server.calls.map(({ body }) => body['max_tokens'])).toEqual([50, 1_000, 1_000, 1_000]);
    const outputs = under.ledger.calls.map(({ reserved }) => reserved.tokens);
    expect(outputs[1]).toBeGreaterThan((outputs[0] ?? 0) + 900);
  });

  it('means upstream what it meant here, even where a key stands there twice', async () => {
    under.server.use(() => ({ text: 'x' }));
    const run = await under.admit();
    const body = `{"max_tokens":64000,"model":"other","model":"${MODEL}","max_tokens":5,"messages":[]}`;
    await (await post(`${run.url}/v1/messages`, run.token, body)).text();
    expect(under.server.calls[0]?.body).toMatchObject({ max_tokens: 5, model: MODEL });
    await run.revoke();
  });

  it('cannot buy what tokens do not measure', async () => {
    under.server.use(() => ({ text: 'x' }));
    const run = await under.admit();
    const tools = [
      { name: 'Write', input_schema: {} },
      { type: 'web_search_20250305', name: 'web_search' },
    ];
    const body = messages({ service_tier: 'priority', speed: 'fast', mcp_servers: [{}], tools });
    await (await post(`${run.url}/v1/messages`, run.token, body)).text();
    expect(under.server.calls[0]?.body).toEqual(messages({ tools: [{ name: 'Write', input_schema: {} }] }));
    const linked = { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.example/a' } }] };
    const refused = await post(`${run.url}/v1/messages`, run.token, messages({ messages: [linked] }));
    expect([refused.status, (await errorOf(refused))['type']]).toEqual([400, 'invalid_request_error']);
    await run.revoke();
  });

  it('does not carry cookies, forwarding or its own token to the provider', async () => {
    under.server.use(() => ({ text: 'x' }));
    const run = await under.admit();
    const beta = 'effort-2025-11-24';
    const hostile = {
      cookie: 'a=b',
      'x-forwarded-for': '10.0.0.1',
      'x-evil': '1',
      'anthropic-beta': `unknown-2026-01-01, ${beta}`,
    };
    await (await post(`${run.url}/v1/messages`, run.token, messages(), hostile)).text();
    const { headers = {} } = under.server.calls[0] ?? {};
    expect(headers).toMatchObject({ 'anthropic-beta': beta, 'accept-encoding': 'identity' });
    expect(['cookie', 'x-forwarded-for', 'x-evil'].filter((name) => name in headers)).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain(run.token);
    await run.revoke();
  });
});

describe('whoever is not admitted', () => {
  it('is answered in the provider’s own form', async () => {
    const run = await under.admit();
    const openai = run.url.replace('anthropic', 'openai');
    for (const token of ['', 'wrong', `${run.token}x`, PROVIDER_KEY]) {
      const one = await post(`${run.url}/v1/messages`, token, messages());
      expect([one.status, (await errorOf(one))['type']]).toEqual([401, 'authentication_error']);
      const other = await post(`${openai}/v1/responses`, token, messages());
      expect([other.status, (await errorOf(other))['code']]).toEqual([401, 'invalid_api_key']);
    }
    await run.revoke();
    const late = await post(`${run.url}/v1/messages`, run.token, messages());
    expect(late.status).toBe(401);
    expect(under.server.calls).toEqual([]);
  });

  it('finds only the routes of models', async () => {
    const run = await under.admit();
    const paths = ['/v1/files', '/v1/messages/batches', '/v1/messages/../files', '/v1/messages/', '/../../v1/messages'];
    for (const path of paths) {
      expect([path, await rawStatus(run.url, path, run.token)]).toEqual([path, 404]);
    }
    const other = await post(`${run.url.replace('anthropic', 'openai')}/v1/responses`, run.token, messages());
    expect(other.status).toBe(404);
    const dearer = await post(`${run.url}/v1/messages`, run.token, messages({ model: 'claude-opus-5-5' }));
    expect([dearer.status, (await errorOf(dearer))['type']]).toEqual([404, 'not_found_error']);
    expect(under.server.calls).toEqual([]);
    await run.revoke();
  });

  it('cannot use the socket of another run', async () => {
    const [one, other] = [await under.admit(), await under.admit()];
    under.server.use(() => ({ text: 'x' }));
    expect(await viaSocket(one.socketPath, `${one.path}/v1/messages`, other.token)).toBe(401);
    expect(await viaSocket(one.socketPath, `${one.path}/v1/messages`, one.token)).toBe(200);
    expect(statSync(dirname(one.socketPath)).mode & 0o777).toBe(0o700);
    await Promise.all([one.revoke(), other.revoke()]);
    expect(readdirSync(dirname(one.socketPath))).toEqual([]);
  });

  it('is refused what is too large, compressed or no JSON', async () => {
    const run = await under.admit();
    await under.close();
    under = await openProxyUnderTest({ limits: { requestBytes: 1_000 } });
    const small = await under.admit();
    const large = await post(`${small.url}/v1/messages`, small.token, messages({ system: 'x'.repeat(5_000) }));
    expect([large.status, (await errorOf(large))['type']]).toEqual([413, 'request_too_large']);
    const squeezed = await post(`${small.url}/v1/messages`, small.token, 'x', { 'content-encoding': 'gzip' });
    expect(squeezed.status).toBe(415);
    for (const body of ['', '{', '[]', '"x"', 'null']) {
      expect([body, (await post(`${small.url}/v1/messages`, small.token, body)).status]).toEqual([body, 400]);
    }
    expect((await post(`${small.url}/v1/messages`, small.token, messages({ model: null }))).status).toBe(404);
    await Promise.all([run.revoke(), small.revoke()]);
  });
});

describe('past the cap', () => {
  it('nothing is sent, and the refusal is one that a CLI gives up on', async () => {
    under.ledger.capNanoUsd = 10n;
    const run = await under.admit();
    const answer = await post(`${run.url}/v1/messages`, run.token, messages());
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('BUDGET_EXCEEDED') as string },
    });
    const tally = await run.revoke();
    expect(tally.overBudget).toMatchObject({ name: 'usd', cap: '10' });
    expect([under.server.calls, tally.calls]).toEqual([[], 0]);
  });

  it('of its turns a run is refused too', async () => {
    under.server.use(() => ({ text: 'x' }));
    const run = await under.admit({ maxCalls: 1 });
    await (await post(`${run.url}/v1/messages`, run.token, messages())).text();
    expect((await post(`${run.url}/v1/messages`, run.token, messages())).status).toBe(400);
    expect((await run.revoke()).isOutOfCalls).toBe(true);
  });

  it('a worker that lost the project sends nothing', async () => {
    under.ledger.isStale = true;
    const run = await under.admit();
    expect((await post(`${run.url}/v1/messages`, run.token, messages())).status).toBe(400);
    expect((await run.revoke()).isLeaseLost).toBe(true);
    expect(under.server.calls).toEqual([]);
  });
});

it('a run of a model that no upstream provides is refused with what to do', async () => {
  expect(under.proxy.refusal({ provider: 'anthropic', model: 'x' })).toBeNull();
  expect(under.proxy.refusal({ provider: 'playbook', model: 'x' })).toContain('configure a key for playbook');
  await expect(under.admit({ model: { provider: 'playbook', model: 'x' } })).rejects.toMatchObject({
    code: 'PROXY_HAS_NO_UPSTREAM',
  });
});

it('closing ends the calls under way and leaves neither socket nor port behind', async () => {
  under.server.use(() => ({ text: 'x', fault: { kind: 'silence', afterEvents: 1 } }));
  const run = await under.admit();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  const { port } = under.proxy;
  await under.proxy.close();
  await expect(answer.text()).rejects.toThrow();
  expect(under.ledger.ends()).toEqual(['cut']);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  expect(existsSync(dirname(run.socketPath))).toBe(false);
  await expect(viaSocket(run.socketPath, '/', run.token)).rejects.toThrow();
  await eventually('the provider sees it', () => under.server.calls[0]?.isAbandoned);
});

/** The path as it is: fetch would tidy it up. */
function rawStatus(url: string, path: string, token: string): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(url);
  return statusOf({ hostname, port, path: `${pathname}${path}` }, token);
}

const viaSocket = (socketPath: string, path: string, token: string) => statusOf({ socketPath, path }, token);

function statusOf(where: object, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...where, method: 'POST', headers: { 'x-api-key': token } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    request.once('error', reject).end(JSON.stringify(messages()));
  });
}
