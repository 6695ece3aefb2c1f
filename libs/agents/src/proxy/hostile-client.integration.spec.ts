import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '#testing';
import { listenAs, messages, MODEL, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

const opened: { close(): Promise<void> }[] = [];
async function open(...options: Parameters<typeof openProxyUnderTest>) {
  const under = await openProxyUnderTest(...options);
  opened.push(under);
  return under;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

it('a run has eight calls under way, and the ninth waits for one of them to end', async () => {
  const under = await open();
  under.server.use(() => ({ text: 'x', fault: { kind: 'silence', afterEvents: 0 } }));
  const run = await under.admit();
  const gone = Array.from({ length: 9 }, () => new AbortController());
  const calls = gone.map(({ signal }) =>
    fetch(`${run.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': run.token },
      body: JSON.stringify(messages()),
      signal,
    }),
  );
  const ends = Promise.allSettled(calls);
  await eventually('eight are under way', () => under.server.calls.length === 8);
  expect(run.tally().underWay).toBe(8);
  for (const one of gone) one.abort();
  await ends;
  await eventually('all are settled', () => run.tally().underWay === 0);
  expect(under.server.calls.length).toBe(8);
  await run.revoke();
});

it('more than can wait are told to come again', async () => {
  const under = await open();
  under.server.use(() => ({ text: 'x', fault: { kind: 'silence', afterEvents: 0 } }));
  const run = await under.admit();
  const answers = Array.from({ length: 50 }, () =>
    post(`${run.url}/v1/messages`, run.token, messages()).then(
      ({ status, headers }) => `${String(status)} ${String(headers.get('x-should-retry'))}`,
      () => 'cut',
    ),
  );
  expect(await Promise.race(answers)).toBe('503 true');
  await run.revoke();
  expect((await Promise.all(answers)).filter((one) => one === '503 true').length).toBeGreaterThanOrEqual(10);
});

it('requests that cost nothing come to an end too', async () => {
  const under = await open();
  const run = await under.admit({ maxCalls: 1 });
  const statuses = new Set<number>();
  for (let made = 0; made < 210; made += 1) {
    statuses.add((await post(`${run.url}/v1/messages/count_tokens`, run.token, '{')).status);
  }
  const last = await post(`${run.url}/v1/messages/count_tokens`, run.token, messages());
  expect([last.status, await last.text()]).toEqual([400, expect.stringContaining('REQUESTS_SPENT')]);
  const models = await fetch(`${run.url}/v1/models`, { headers: { 'x-api-key': run.token } });
  expect([models.status, [...statuses]]).toEqual([400, [400]]);
  await run.revoke();
});

it('bodies that are dear to parse are refused in the provider’s own form', async () => {
  const under = await open();
  const run = await under.admit();
  const many = `{"messages":[${'[],'.repeat(1_100_000)}[]]}`;
  const answers = await Promise.all(Array.from({ length: 3 }, () => post(`${run.url}/v1/messages`, run.token, many)));
  for (const answer of answers) {
    expect([answer.status, await answer.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
  }
  const deep = await post(`${run.url}/v1/messages`, run.token, `{"a":${'['.repeat(300)}${']'.repeat(300)}}`);
  expect(deep.status).toBe(400);
  await run.revoke();
});

it('a body that never comes to its end holds up nobody for long', async () => {
  const under = await open({ limits: { bodyMs: 200 } });
  under.server.use(() => ({ text: 'x' }));
  const run = await under.admit();
  expect(await stalled(run).status).toBe(408);
  expect((await post(`${run.url}/v1/messages`, run.token, messages())).status).toBe(200);
  await run.revoke();
});

it('bodies are read together only as far as there is room for them', async () => {
  const under = await open({ limits: { bodyMs: 500, readingBytes: 1_000 } });
  under.server.use(() => ({ text: 'x' }));
  const [run, other] = [await under.admit(), await under.admit()];
  const slow = stalled(run);
  await slow.isBeingRead;
  const ends: string[] = [];
  await Promise.all([
    slow.status.then(() => ends.push('the slow one')),
    post(`${other.url}/v1/messages`, other.token, messages()).then(({ status }) => ends.push(`then ${String(status)}`)),
  ]);
  expect(ends).toEqual(['the slow one', 'then 200']);
  await Promise.all([run.revoke(), other.revoke()]);
});

it.each([
  ['another model', 'claude-opus-5-5', 'cut'],
  ['a snapshot of the model', `${MODEL}-20261001`, 'done'],
])('an answer by %s (%s) is settled as %s', async (_name, model, end) => {
  const answer = { type: 'message', id: 'm', model, content: [], usage: { input_tokens: 1, output_tokens: 1 } };
  const provider = await listenAs((_request, out) => {
    out.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  opened.push(provider);
  const under = await open({ baseUrl: provider.url });
  const run = await under.admit();
  await (await post(`${run.url}/v1/messages`, run.token, messages({ stream: false }))).text();
  await run.revoke();
  const [{ settlement, reserved } = {}] = under.ledger.calls;
  expect(settlement).toMatchObject({ status: end, answeredBy: model });
  if (end === 'cut') expect(settlement?.counted).toEqual(reserved);
});

it('a call on a connection that was kept open and breaks is not sent again', async () => {
  const sockets: Socket[] = [];
  const provider = await listenAs((request, out) => {
    sockets.push(request.socket);
    // The second one is read in full, and might be worked on already.
    request.resume().once('end', () => {
      if (sockets.length > 1) request.socket.resetAndDestroy();
      else out.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    });
  });
  opened.push(provider);
  const under = await open({ baseUrl: provider.url });
  const run = await under.admit();
  await (await post(`${run.url}/v1/messages`, run.token, messages())).text();
  expect((await post(`${run.url}/v1/messages`, run.token, messages())).status).toBe(502);
  await run.revoke();
  expect([sockets.length, sockets[0] === sockets[1]]).toEqual([2, true]);
  const last = under.ledger.calls.at(-1);
  expect(last?.settlement).toMatchObject({ status: 'cut', counted: last?.reserved });
});

/** A request whose body does not come. */
function stalled(run: { url: string; token: string }) {
  const headers = { 'x-api-key': run.token, 'content-length': 1_000, expect: '100-continue' };
  const slow = httpRequest(`${run.url}/v1/messages`, { method: 'POST', headers });
  const isBeingRead = new Promise<void>((resolve) => slow.once('continue', resolve));
  const status = new Promise<number | undefined>((resolve, reject) => {
    slow.once('error', reject);
    slow.once('response', (answer) => {
      resolve(answer.statusCode);
      slow.destroy();
    });
  });
  slow.flushHeaders();
  return { isBeingRead, status };
}

it('a run has so many connections and no more', async () => {
  const under = await open();
  const run = await under.admit();
  let dropped = 0;
  const sockets = Array.from({ length: 70 }, () => connect(run.socketPath).on('close', () => (dropped += 1)));
  await eventually('what is too much is hung up on', () => dropped === 6);
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(64);
  await run.revoke();
  await eventually('all are closed with the run', () => dropped === 70);
});

it('a call whose run ends while it is set aside is not sent, and costs nothing', async () => {
  const under = await open();
  const run = await under.admit();
  let revoked = Promise.resolve(run.tally());
  const reserve = under.ledger.reserve.bind(under.ledger);
  under.ledger.reserve = async (call) => {
    const reservation = await reserve(call);
    revoked = run.revoke();
    return reservation;
  };
  await Promise.allSettled([post(`${run.url}/v1/messages`, run.token, messages())]);
  const tally = await revoked;
  expect(under.ledger.calls[0]?.settlement).toMatchObject({
    status: 'failed',
    errorCode: 'MODEL_CANCELLED',
    counted: { nanoUsd: 0n },
  });
  expect([under.server.calls.length, tally.calls, tally.underWay]).toEqual([0, 0, 0]);
});
