import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '#testing';
import { anthropicWire } from './anthropic-wire.js';
import { type Ending, exchange } from './exchange.js';
import { listenAs, messages, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const LONG_MS = 60_000;
const limits = {
  requestBytes: 1,
  readingBytes: 1,
  bodyMs: LONG_MS,
  answerBytes: 64 * 1024 * 1024,
  headersMs: LONG_MS,
  idleMs: LONG_MS,
  callMs: LONG_MS,
};

it('an answer that is whole arrives whole, however slowly its last bytes are read', async () => {
  const piece = Buffer.alloc(1_024, 'x');
  let toClient: ServerResponse | null = null;
  let sent = 0;
  const provider = await listenAs((_request, out) => {
    out.writeHead(200, { 'content-type': 'text/event-stream' });
    const push = (): void => {
      // As soon as the client's connection takes no more, so that the tail has to wait in this process.
      const isLast = (toClient?.writableLength ?? 0) > 0;
      sent += piece.length;
      if (isLast) out.end(piece);
      else out.write(piece, () => setImmediate(push));
    };
    push();
  });
  opened.push(provider);
  const agent = new Agent();
  const endings: Ending[] = [];
  const between = await listenAs((_request, response) => {
    toClient = response;
    void exchange({
      wire: anthropicWire,
      url: new URL(provider.url),
      method: 'GET',
      headers: {},
      body: null,
      secret: '',
      agent,
      limits,
      signal: new AbortController().signal,
      response,
      onSign: () => undefined,
    }).then((ending) => endings.push(ending));
  });
  opened.push(between);
  const [answer] = (await once(get(between.url), 'response')) as [IncomingMessage];
  await eventually('the provider has said all', () => endings.length === 1);
  let got = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) got += chunk.length;
  expect([endings[0]?.kind, got]).toEqual(['answered', sent]);
  agent.destroy();
});

/** A provider that says just this, and hangs up. */
async function saying(text: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  const address = server.address();
  return `http://127.0.0.1:${String(typeof address === 'object' && address?.port)}`;
}

it.each([
  ['a status that is none', 'HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}', 502],
  ['a status of nothing', 'HTTP/1.1 000 Odd\r\ncontent-length: 2\r\n\r\n{}', 502],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 502],
  ['a redirection', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\n{}', 302],
])('%s is an error, and settled', async (_name, text, status) => {
  const under = await openProxyUnderTest({ baseUrl: await saying(text) });
  opened.push(under);
  const run = await under.admit();
  expect((await post(`${run.url}/v1/messages`, run.token, messages())).status).toBe(status);
  expect((await run.revoke()).underWay).toBe(0);
  expect(under.ledger.ends()).not.toContain(null);
  expect(under.ledger.calls).toHaveLength(1);
});

it('an error whose words are cut is that error all the same', async () => {
  const text = 'HTTP/1.1 429 Too Many\r\nretry-after: 120\r\ncontent-length: 5000\r\n\r\n{"error":';
  const under = await openProxyUnderTest({ baseUrl: await saying(text) });
  opened.push(under);
  const run = await under.admit();
  const answer = await post(`${run.url}/v1/messages`, run.token, messages());
  expect([answer.status, await answer.text()]).toEqual([429, '{"error":']);
  const { rateLimit, lastError } = await run.revoke();
  expect([lastError?.status, rateLimit === null]).toEqual([429, false]);
  expect(under.ledger.calls[0]?.settlement).toMatchObject({ status: 'failed', counted: { nanoUsd: 0n } });
});
