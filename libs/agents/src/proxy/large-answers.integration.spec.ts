import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { eventually, roomIn } from '#testing';
import { listenAs, messages, MODEL, openProxyUnderTest, post } from './proxy-under-test.fixture.js';

const MB = 1024 * 1024;
/** What may lie in between: the buffers of two connections, and what the proxy has just read. */
const IN_BETWEEN = 24 * MB;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const usage = { input_tokens: 10, output_tokens: 1 };
const START = sse({ type: 'message_start', message: { id: 'm', model: MODEL, usage } });
const PIECE = sse({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(256 * 1024) } });
const END = sse({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } });

interface Large {
  readonly type: string;
  readonly head: string;
  readonly piece: string;
  readonly tail: string;
  readonly bytes: number;
}

/** A provider whose answer is as large as that; it sends as fast as it is read. */
async function sending(large: Large) {
  const seen = { sent: 0, isAbandoned: false };
  const send = async (out: ServerResponse): Promise<void> => {
    out.once('close', () => (seen.isAbandoned = !out.writableFinished));
    out.writeHead(200, { 'content-type': large.type });
    out.write(large.head);
    const piece = Buffer.from(large.piece);
    while (seen.sent < large.bytes && !out.destroyed) {
      seen.sent += piece.length;
      if (!out.write(piece)) await roomIn(out);
    }
    out.end(large.tail);
  };
  const listening = await listenAs((_request, out) => void send(out));
  opened.push(listening);
  const under = await openProxyUnderTest({ baseUrl: listening.url });
  opened.push(under);
  const run = await under.admit();
  const call = () => post(`${run.url}/v1/messages`, run.token, messages({ stream: large.type !== 'application/json' }));
  return { ...under, run, call, seen };
}

async function sizeOf(answer: Response): Promise<number> {
  let size = 0;
  for await (const chunk of answer.body ?? []) size += (chunk as Uint8Array).length;
  return size;
}

const STREAM: Large = { type: 'text/event-stream', head: START, piece: PIECE, tail: END, bytes: 50 * MB };

it('an answer of 50 MB is passed on as it is read, never held, and settled with what it used', async () => {
  const { ledger, run, call, seen } = await sending(STREAM);
  const answer = await call();
  let before = -1;
  await eventually('the provider is held back', () => {
    const isStill = seen.sent > 0 && seen.sent === before;
    before = seen.sent;
    return isStill;
  });
  expect(seen.sent).toBeLessThan(IN_BETWEEN);
  expect(await sizeOf(answer)).toBe(START.length + seen.sent + END.length);
  expect(seen.sent).toBeGreaterThanOrEqual(50 * MB);
  await run.revoke();
  expect(ledger.calls[0]?.settlement).toMatchObject({ status: 'done', usage: { input: 10, output: 42 } });
});

it('one of 50 MB in a single piece is passed on too, but read by nobody: it counts in full', async () => {
  const { ledger, run, call, seen } = await sending({
    type: 'application/json',
    head: '{"type":"message","content":"',
    piece: 'x'.repeat(256 * 1024),
    tail: `","usage":${JSON.stringify(usage)}}`,
    bytes: 50 * MB,
  });
  expect(await sizeOf(await call())).toBeGreaterThan(seen.sent);
  await run.revoke();
  const { settlement, reserved } = ledger.calls[0] ?? {};
  expect(settlement).toMatchObject({ status: 'cut', errorCode: 'MODEL_USAGE_UNKNOWN', counted: reserved });
});

it('one without end is cut off at 64 MB, for the client and for the provider', async () => {
  const { ledger, run, call, seen } = await sending({ ...STREAM, bytes: Infinity });
  let size = 0;
  const reading = (async () => {
    for await (const chunk of (await call()).body ?? []) size += (chunk as Uint8Array).length;
  })();
  await expect(reading).rejects.toThrow();
  expect(size).toBeLessThanOrEqual(64 * MB);
  await eventually('the provider is told', () => seen.isAbandoned);
  await run.revoke();
  // What it was sent, it said; of its answer, all that was asked for.
  const told = { errorCode: 'MODEL_ANSWER_TOO_LARGE', usage: { input: 10, output: 1 }, counted: { tokens: 110 } };
  expect(ledger.calls[0]?.settlement).toMatchObject({ status: 'cut', ...told });
});
