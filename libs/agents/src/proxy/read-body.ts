import type { IncomingMessage } from 'node:http';
import { refuseDearJson } from './json-size.js';
import { Refusal } from './refusal.js';
import type { Room } from './room.js';
import { type Body, isObject } from './wire.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Until the last byte has come. */
  readonly ms: number;
  /** Of the run: its bodies are read one after the other, so it can fill the other room with one of them only. */
  readonly turns: Room;
  /** Of all runs, in bytes. */
  readonly room: Room;
  readonly signal: AbortSignal;
}

/** The body of a request as an object. Throws Refusal. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  const { maxBytes, turns, room, signal } = limits;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Refusal(415, 'ENCODING_UNSUPPORTED', 'send the body uncompressed');
  const said = Number(request.headers['content-length'] ?? maxBytes);
  if (said > maxBytes) throw tooLarge(maxBytes);
  const endTurn = await turns.enter(1, signal);
  try {
    const leave = await room.enter(said, signal);
    try {
      return parsed(await collected(request, limits));
    } finally {
      leave();
    }
  } finally {
    endTurn();
  }
}

function parsed(bytes: Buffer): Body {
  refuseDearJson(bytes);
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'JSON_MALFORMED', 'the body is not JSON');
  }
  if (!isObject(body)) throw new Refusal(400, 'JSON_MALFORMED', 'the body is not a JSON object');
  return body;
}

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal(413, 'REQUEST_TOO_LARGE', `send at most ${String(maxBytes)} bytes`);

/** Leaves the request readable where it is too large: whoever destroyed it could not answer it any more. */
function collected(request: IncomingMessage, { maxBytes, ms, signal }: BodyLimits): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  const late = AbortSignal.timeout(ms);
  const ends = AbortSignal.any([signal, late]);
  return new Promise<Buffer>((resolve, reject) => {
    const fail = (refusal: Refusal): void => {
      parts.length = 0;
      reject(refusal);
    };
    const stop = (): void =>
      fail(
        late.aborted
          ? new Refusal(408, 'REQUEST_TOO_SLOW', 'the request did not arrive in time')
          : new Refusal(400, 'REQUEST_CUT', 'the request did not arrive in full'),
      );
    if (ends.aborted) return stop();
    ends.addEventListener('abort', stop, { once: true });
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) fail(tooLarge(maxBytes));
      else if (!ends.aborted) parts.push(chunk);
    });
    request.once('end', () => {
      ends.removeEventListener('abort', stop);
      resolve(Buffer.concat(parts));
      parts.length = 0;
    });
    request.once('error', () => fail(new Refusal(400, 'REQUEST_CUT', 'the request did not arrive in full')));
  });
}
