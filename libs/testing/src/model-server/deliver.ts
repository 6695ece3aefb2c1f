import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as soon, setTimeout as delay } from 'node:timers/promises';
import type { Fault, ModelCall, Reply } from './reply.js';
import type { Wire } from './wire.js';

interface Delivery {
  readonly call: ModelCall;
  readonly reply: Reply;
  readonly wire: Wire;
  readonly answer: ReturnType<Wire['render']>;
  readonly out: ServerResponse;
}

/** Sends the reply as its fault wants it. Ends when all is sent, or the client has gone. */
export async function deliver(delivery: Delivery): Promise<void> {
  const { reply, out, call } = delivery;
  const { fault } = reply;
  if (reply.afterMs !== undefined) await pause(reply.afterMs, out);
  if (fault && (await failedAtOnce(fault, delivery))) return;
  if (call.isStream) return sendStream(delivery);
  out.writeHead(200, { 'content-type': 'application/json', ...reply.headers });
  out.end(JSON.stringify(delivery.answer.body));
}

/** Faults that leave no room for an answer. */
async function failedAtOnce(fault: Fault, { wire, out }: Delivery): Promise<boolean> {
  switch (fault.kind) {
    case 'status': {
      const body = fault.body ?? JSON.stringify(wire.errorBody(fault));
      out.writeHead(fault.status, { 'content-type': 'application/json', 'request-id': 'req_test', ...fault.headers });
      out.end(body);
      return true;
    }
    case 'lost':
      out.socket?.resetAndDestroy();
      return true;
    case 'html':
      out.writeHead(200, { 'content-type': 'text/html' });
      out.end('<html><body><h1>Welcome to the hotel network</h1></body></html>');
      return true;
    case 'empty':
      out.writeHead(200, { 'content-type': 'text/event-stream' });
      out.end();
      return true;
    case 'reset':
      if (fault.afterEvents > 0) return false;
      out.socket?.resetAndDestroy();
      return true;
    case 'silence':
      if (fault.afterEvents > 0) return false;
      await gone(out);
      return true;
    case 'after-end':
    case 'error-event':
    case 'cut':
    case 'drip':
    case 'malformed':
    case 'huge':
      return false;
  }
}

async function sendStream({ reply, wire, answer, out }: Delivery): Promise<void> {
  const { fault } = reply;
  out.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...reply.headers });
  out.flushHeaders();
  if (fault?.kind === 'cut' && fault.afterBytes !== undefined) {
    out.end(Buffer.from(answer.events.join('')).subarray(0, fault.afterBytes));
    return;
  }
  const midway = fault?.kind === 'after-end' ? undefined : fault;
  const faultAt = midway && 'afterEvents' in midway ? (midway.afterEvents ?? 0) : 3;
  for (const [index, event] of answer.events.entries()) {
    if (midway && index === Math.min(faultAt, answer.events.length - 1)) {
      await failMidway(midway, wire, out);
      return;
    }
    if (index > 0 && reply.everyMs !== undefined) await pause(reply.everyMs, out);
    await write(event, out, reply.chunkBytes);
    if (out.destroyed) return;
  }
  if (fault?.kind !== 'after-end') out.end();
  else if (fault.then === 'silence') await gone(out);
  else await reset(out);
}

type Midway = Exclude<Fault, { kind: 'after-end' }>;

async function failMidway(fault: Midway, wire: Wire, out: ServerResponse): Promise<void> {
  switch (fault.kind) {
    case 'error-event':
      out.end(wire.errorEvent(fault.type, fault.words));
      return;
    case 'malformed':
      // Named like an event that every client reads: SDKs skip those whose name they do not know.
      out.end('event: content_block_delta\ndata: {"type": "content_bl\n\n');
      return;
    case 'reset':
      return reset(out);
    case 'silence':
      return gone(out);
    case 'drip':
      while (!out.destroyed) {
        await pause(fault.everyMs, out);
        await write(': still there\n\n', out);
      }
      return;
    case 'huge':
      for (let sent = 0; sent < fault.bytes && !out.destroyed; sent += 65_536) {
        await write(wire.filler('x'.repeat(65_536)), out);
      }
      out.end();
      return;
    case 'cut':
    case 'status':
    case 'lost':
    case 'html':
    case 'empty':
      out.end();
      return;
  }
}

async function write(text: string, out: ServerResponse, chunkBytes?: number): Promise<void> {
  const bytes = Buffer.from(text);
  const size = chunkBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    if (out.destroyed) return;
    const isRoomLeft = out.write(bytes.subarray(at, at + size));
    if (chunkBytes !== undefined) await soon();
    if (!isRoomLeft) await roomIn(out);
  }
}

/** Resolves when more can be written, or nobody reads any more. */
export function roomIn(out: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    out.once('drain', done).once('close', done);
  });
}

/** What was written has to be on its way before the connection is torn down. */
async function reset(out: ServerResponse): Promise<void> {
  await delay(5);
  out.socket?.resetAndDestroy();
}

async function gone(out: ServerResponse): Promise<void> {
  if (!out.destroyed) await once(out, 'close');
}

async function pause(ms: number, out: ServerResponse): Promise<void> {
  const stop = new AbortController();
  const wake = (): void => stop.abort();
  out.once('close', wake);
  await delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  out.off('close', wake);
}
