import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';
import { type Body, isObject } from './wire.js';

/** The body of a request as an object. Throws Refusal. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Refusal(415, 'ENCODING_UNSUPPORTED', 'send the body uncompressed');
  const bytes = await collected(request, maxBytes);
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'JSON_MALFORMED', 'the body is not JSON');
  }
  if (!isObject(body)) throw new Refusal(400, 'JSON_MALFORMED', 'the body is not a JSON object');
  return body;
}

/** Leaves the request readable where it is too large: whoever destroyed it could not answer it any more. */
function collected(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void parts.push(chunk);
      parts.length = 0;
      reject(new Refusal(413, 'REQUEST_TOO_LARGE', `send at most ${String(maxBytes)} bytes`));
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', () => reject(new Refusal(400, 'REQUEST_CUT', 'the request did not arrive in full')));
  });
}
