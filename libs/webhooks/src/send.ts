import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorCode, errorMessage } from '#kernel';
import type { AddressGuard } from './address-guard.js';
import { dial } from './dial.js';
import { retryAfterMs } from './schedule.js';
import type { Outcome } from './verdict.js';
import { within } from './within.js';

/** So much of an answer is read, so that the receiver can end it in peace. Nobody looks at it. */
const MOST_READ = 64 * 1_024;
const LONGEST_READ_MS = 1_000;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one message: once, to addresses that were judged, following nothing, and within its time whatever the receiver
 * does. It never throws: that it failed is an outcome.
 */
export async function post(guard: AddressGuard, message: Post, timeoutMs: number): Promise<Outcome> {
  const began = performance.now();
  const over = AbortSignal.timeout(timeoutMs);
  const passed = (): number => Math.round(performance.now() - began);
  try {
    const url = guard.checkUrl(message.url);
    const response = await within(over, send(guard, url, message, over));
    const status = response.statusCode ?? 0;
    const ms = passed();
    await drained(response);
    const isOk = status >= 200 && status < 300;
    return {
      status,
      error: isOk ? null : wordsOf(status),
      ms,
      isUnresolved: false,
      retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()),
    };
  } catch (error) {
    const words = over.aborted ? `no answer within ${String(timeoutMs)} ms` : failureOf(error);
    const isUnresolved = errorCode(error) === 'WEBHOOK_UNRESOLVED';
    return { status: null, error: words, ms: passed(), isUnresolved, retryAfterMs: null };
  }
}

const wordsOf = (status: number): string =>
  status >= 300 && status < 400 ? `${String(status)}: redirects are not followed` : `it answered ${String(status)}`;

function failureOf(error: unknown): string {
  const code = errorCode(error);
  return `${code}: ${errorMessage(error)}`.slice(0, 500);
}

async function send(
  guard: AddressGuard,
  url: URL,
  { headers, body }: Post,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const addresses = await guard.addressesOf(url);
  signal.throwIfAborted();
  // A connection each: nothing is reused that was judged for another message.
  const socket = await dial(guard, url, addresses, signal);
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      createConnection: () => socket,
      signal,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What goes wrong after the status does not change it. */
function drained(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let read = 0;
    const timer = setTimeout(() => response.destroy(), LONGEST_READ_MS);
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > MOST_READ) response.destroy();
    });
    response.on('error', () => response.destroy());
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
