import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorCode } from '#kernel';
import { connectionFault } from '#models';
import { AnswerReader } from './answer-reader.js';
import { headersToClient } from './headers.js';
import type { ProxyLimits } from './proxy.port.js';
import { SecretFilter } from './secret-filter.js';
import type { Reading, Wire } from './wire.js';

/** One request to a provider, and its answer on the way to the client. */
export interface Exchange {
  readonly wire: Wire;
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | null;
  readonly secret: string;
  readonly agent: Agent;
  readonly limits: ProxyLimits;
  /** Aborts when the client has gone or its run has ended. */
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
  readonly onSign: () => void;
}

export type Ending =
  | { readonly kind: 'answered'; readonly reading: Reading }
  /** Some of an answer came, or may have. */
  | { readonly kind: 'cut'; readonly code: string; readonly reading: Reading | null }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly text: string;
    }
  | { readonly kind: 'unreachable'; readonly cause: unknown };

const LONGEST_ERROR = 256 * 1024;

/** Passes an answer on as it comes. An error of the provider is handed back whole instead. Never rejects. */
export async function exchange(one: Exchange): Promise<Ending> {
  const first = await attempt(one);
  // A connection that was kept open may have been closed by the other side at the very moment it was used again.
  // What has a body is not sent twice: nobody can tell whether the first one was worked on, and billed.
  return first === 'stale' ? ((await attempt(one, true)) as Ending) : first;
}

function attempt(one: Exchange, isSecond = false): Promise<Ending | 'stale'> {
  const { url, method, headers, limits, signal, body } = one;
  const call = new AbortController();
  let code = 'MODEL_CANCELLED';
  const timeOut = (): void => {
    code = 'MODEL_TIMEOUT';
    call.abort();
  };
  const stop = (): void => call.abort();
  const wall = setTimeout(timeOut, limits.callMs);
  let silence = setTimeout(timeOut, limits.headersMs);
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(timeOut, limits.idleMs);
    one.onSign();
  };
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<Ending | 'stale'>((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let request: ClientRequest;
    try {
      // A second attempt takes a connection of its own.
      const agent = isSecond ? false : one.agent;
      request = send(url, { method, headers: withLength(headers, body), agent, signal: call.signal });
    } catch (cause) {
      return resolve({ kind: 'unreachable', cause });
    }
    let isAnswered = false;
    request.on('error', (cause) => {
      // Whoever reads the answer hears of it too, and knows what it said before.
      if (isAnswered) return;
      const why = errorCode(cause);
      if (call.signal.aborted) resolve({ kind: 'cut', code, reading: null });
      else if (isNotSent(cause)) resolve({ kind: 'unreachable', cause });
      else if (!isSecond && body === null && request.reusedSocket && why === 'ECONNRESET') resolve('stale');
      else resolve({ kind: 'cut', code: 'MODEL_UNREACHABLE', reading: null });
    });
    request.once('response', (answer) => {
      isAnswered = true;
      heard();
      const read = isGood(answer) ? passOn(one, answer, heard, () => code) : readError(one, answer, heard);
      read.then(resolve, (cause: unknown) => {
        answer.destroy();
        resolve({ kind: 'cut', code: errorCode(cause), reading: null });
      });
    });
    // A provider that wants to speak another protocol is hung up on, which is no error to Node.
    request.once('close', () => {
      if (!isAnswered) resolve({ kind: 'cut', code: 'MODEL_UNREACHABLE', reading: null });
    });
    if (signal.aborted) stop();
    request.end(body ?? undefined);
  }).finally(() => {
    clearTimeout(wall);
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
  });
}

/** The request cannot have reached the provider. */
function isNotSent(cause: unknown): boolean {
  const fault = connectionFault(cause);
  return fault !== null && fault.kind !== 'broken';
}

const withLength = (headers: OutgoingHttpHeaders, body: Buffer | null): OutgoingHttpHeaders =>
  body === null ? headers : { ...headers, 'content-length': body.length };

const isGood = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

async function passOn(one: Exchange, answer: IncomingMessage, heard: () => void, why: () => string): Promise<Ending> {
  const { response, wire, limits } = one;
  const isStream = (answer.headers['content-type'] ?? '').includes('text/event-stream');
  const reader = new AnswerReader(wire, isStream);
  const filter = new SecretFilter(one.secret);
  let size = 0;
  response.writeHead(answer.statusCode ?? 200, headersToClient(answer.headers, one.secret));
  response.flushHeaders();
  return new Promise((resolve) => {
    const cut = (code: string): void => {
      answer.destroy();
      response.destroy();
      resolve({ kind: 'cut', code, reading: reader.reading });
    };
    const resume = (): void => void answer.resume();
    response.on('drain', resume);
    answer.on('data', (chunk: Buffer) => {
      heard();
      size += chunk.length;
      if (size > limits.answerBytes) return cut('MODEL_ANSWER_TOO_LARGE');
      const clean = filter.pass(chunk);
      if (clean.length > 0 && !response.write(clean)) answer.pause();
      reader.take(chunk);
    });
    answer.once('end', () => {
      response.end(filter.rest());
      resolve({ kind: 'answered', reading: reader.end() });
    });
    answer.once('error', () => cut(one.signal.aborted || why() === 'MODEL_TIMEOUT' ? why() : 'MODEL_CUT_OFF'));
    answer.once('close', () => {
      // After its end the last bytes may still be on their way to a client that reads slowly.
      if (!answer.readableEnded) cut('MODEL_CUT_OFF');
    });
  });
}

/** What is less is no status that a client could be told. */
const LEAST_STATUS = 200;

async function readError(one: Exchange, answer: IncomingMessage, heard: () => void): Promise<Ending> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      heard();
      size += chunk.length;
      if (size > LONGEST_ERROR) break;
      parts.push(chunk);
    }
  } catch {
    // The status has been said, and with it what became of the call; of the words there is what came.
  }
  const filter = new SecretFilter(one.secret);
  const text = Buffer.concat([filter.pass(Buffer.concat(parts)), filter.rest()]).toString('utf8');
  const { statusCode = 0, headers } = answer;
  return { kind: 'error', status: statusCode < LEAST_STATUS ? 502 : statusCode, headers, text };
}
