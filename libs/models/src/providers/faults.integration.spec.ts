import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Fault, type ModelServer, startModelServer } from '#testing';
import type { ModelErrorFacts } from '../model-error.js';
import { chat, failure, KEY, MAKERS, NOW } from './under-test.fixture.js';

let server: ModelServer;
beforeAll(async () => (server = await startModelServer()));
afterAll(() => server.stop());

interface Row {
  readonly fault: Fault;
  readonly code: string;
  readonly remedy: ModelErrorFacts['remedy'];
  readonly billed: 'nothing' | 'unknown' | 'so-far';
  readonly waitMs?: number;
  readonly idleMs?: number;
  readonly timeoutMs?: number;
}

const status = (code: number, more: Partial<Extract<Fault, { kind: 'status' }>> = {}): Fault => ({
  kind: 'status',
  status: code,
  words: `the provider's words about ${code}`,
  ...more,
});
const never = { billed: 'nothing', remedy: 'give-up' } as const;
const again = { billed: 'nothing', remedy: 'retry' } as const;
const later = { billed: 'nothing', remedy: 'wait' } as const;
const cut = { billed: 'unknown', remedy: 'retry' } as const;
/** Anthropic has said by then what it was sent. */
const begun = { billed: 'so-far', remedy: 'retry' } as const;

const TABLE: Readonly<Record<string, Row>> = {
  'a bad request': { fault: status(400), code: 'MODEL_BAD_REQUEST', ...never },
  'an unprocessable request': { fault: status(422), code: 'MODEL_BAD_REQUEST', ...never },
  'a bad key': { fault: status(401), code: 'MODEL_BAD_KEY', ...never },
  'a key without the right': { fault: status(403), code: 'MODEL_FORBIDDEN', ...never },
  'an unknown model': { fault: status(404), code: 'MODEL_UNKNOWN', ...never },
  'a redirect': {
    fault: status(307, { headers: { location: 'http://127.0.0.1:1/' } }),
    code: 'MODEL_REDIRECTED',
    ...never,
  },
  'a time-out of the server': { fault: status(408), code: 'MODEL_SERVER_ERROR', ...cut },
  'a conflict': { fault: status(409), code: 'MODEL_SERVER_ERROR', ...again },
  'a request too large': { fault: status(413), code: 'MODEL_REQUEST_TOO_LARGE', ...never },
  'a rate limit that says when': {
    fault: status(429, { headers: { 'retry-after': '17' } }),
    code: 'MODEL_RATE_LIMITED',
    waitMs: 17_000,
    ...later,
  },
  'a rate limit with a date': {
    fault: status(429, { headers: { 'retry-after': new Date(NOW + 90_000).toUTCString() } }),
    code: 'MODEL_RATE_LIMITED',
    waitMs: 90_000,
    ...later,
  },
  'a rate limit that does not say when': { fault: status(429), code: 'MODEL_RATE_LIMITED', waitMs: 60_000, ...later },
  'a rate limit for ever': {
    fault: status(429, { headers: { 'retry-after': '1000000000000' } }),
    code: 'MODEL_RATE_LIMITED',
    waitMs: 86_400_000,
    ...later,
  },
  'a request larger than any limit will ever be': {
    fault: status(429, {
      code: 'rate_limit_exceeded',
      type: 'tokens',
      words: 'Request too large for gpt-6 in organization o on tokens per min (TPM): Limit 30000, Requested 50000.',
    }),
    code: 'MODEL_REQUEST_TOO_LARGE',
    ...never,
  },
  'a used-up quota': {
    fault: status(429, { code: 'insufficient_quota', type: 'insufficient_quota' }),
    code: 'MODEL_QUOTA',
    waitMs: 3_600_000,
    ...later,
  },
  'too little credit': {
    fault: status(400, { words: 'Your credit balance is too low to access the API.' }),
    code: 'MODEL_QUOTA',
    waitMs: 3_600_000,
    ...later,
  },
  'a failing server': { fault: status(500), code: 'MODEL_SERVER_ERROR', ...again },
  'a bad gateway': { fault: status(502, { body: '<h1>502</h1>' }), code: 'MODEL_SERVER_ERROR', ...again },
  'a service that is away': { fault: status(503), code: 'MODEL_OVERLOADED', waitMs: 30_000, ...later },
  'a failing server that says when': {
    fault: status(500, { headers: { 'retry-after': '17' } }),
    code: 'MODEL_OVERLOADED',
    waitMs: 17_000,
    ...later,
  },
  'a failing server that tells its limits, as always': {
    fault: status(500, { headers: { 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '99' } }),
    code: 'MODEL_SERVER_ERROR',
    ...again,
  },
  'a gateway out of patience': { fault: status(504), code: 'MODEL_SERVER_ERROR', ...cut },
  'an overloaded server': { fault: status(529), code: 'MODEL_OVERLOADED', waitMs: 30_000, ...later },
  'an error with an empty body': { fault: status(500, { body: '' }), code: 'MODEL_SERVER_ERROR', ...again },
  'a conversation too long': {
    fault: status(400, {
      code: 'context_length_exceeded',
      words: 'prompt is too long: 210000 tokens > 200000 maximum',
    }),
    code: 'MODEL_CONTEXT_EXCEEDED',
    ...never,
  },
  'a connection reset before an answer': {
    fault: { kind: 'reset', afterEvents: 0 },
    code: 'MODEL_CONNECTION_LOST',
    ...cut,
  },
  'an answer lost after it was billed': { fault: { kind: 'lost' }, code: 'MODEL_CONNECTION_LOST', ...cut },
  'a connection reset in the middle': {
    fault: { kind: 'reset', afterEvents: 3 },
    code: 'MODEL_CONNECTION_LOST',
    ...begun,
  },
  'a stream that ends too early': { fault: { kind: 'cut', afterEvents: 3 }, code: 'MODEL_CUT_OFF', ...begun },
  'a stream cut within an event': { fault: { kind: 'cut', afterBytes: 700 }, code: 'MODEL_CUT_OFF', ...begun },
  'an event that is no JSON': { fault: { kind: 'malformed', afterEvents: 3 }, code: 'MODEL_MALFORMED', ...begun },
  'a web page': { fault: { kind: 'html' }, code: 'MODEL_MALFORMED', ...again },
  'an empty body': { fault: { kind: 'empty' }, code: 'MODEL_MALFORMED', ...cut },
  'an answer without end': {
    fault: { kind: 'huge', bytes: 50 * 1024 * 1024 },
    code: 'MODEL_ANSWER_TOO_LARGE',
    ...begun,
  },
  'no answer at all': { fault: { kind: 'silence', afterEvents: 0 }, code: 'MODEL_SILENT', idleMs: 60, ...cut },
  'silence in the middle': { fault: { kind: 'silence', afterEvents: 3 }, code: 'MODEL_SILENT', idleMs: 60, ...begun },
  'an endless drip': { fault: { kind: 'drip', everyMs: 10 }, code: 'MODEL_TIMEOUT', timeoutMs: 150, ...begun },
  'an error in the middle': {
    fault: { kind: 'error-event', afterEvents: 3, type: 'server_error', words: 'lost my mind' },
    code: 'MODEL_SERVER_ERROR',
    ...begun,
  },
  'a rate limit in the middle': {
    fault: { kind: 'error-event', afterEvents: 3, type: 'rate_limit_exceeded', words: 'slow down' },
    code: 'MODEL_RATE_LIMITED',
    waitMs: 60_000,
    billed: 'so-far',
    remedy: 'wait',
  },
  'an overload in the middle': {
    fault: { kind: 'error-event', afterEvents: 3, type: 'overloaded_error', words: 'Overloaded' },
    code: 'MODEL_OVERLOADED',
    waitMs: 30_000,
    billed: 'so-far',
    remedy: 'wait',
  },
};

/** As the model server begins to count. */
const soFar = { soFar: { input: 70, output: 1, cacheRead: 20, cacheWrite: 10, reasoning: 0 } };

describe.each(MAKERS)('what %s makes of', (name, make) => {
  it.each(Object.entries(TABLE))('%s', async (_what, { fault, code, remedy, billed, waitMs, ...limits }) => {
    const usage = { ...soFar.soFar, output: 30 };
    server.use([{ text: 'An answer of some length.', pieces: 5, usage, fault }]);
    const error = await failure(chat(make(server), limits));
    const known = billed !== 'so-far' ? billed : name === 'anthropic' ? soFar : 'unknown';
    expect(error).toMatchObject({ code, remedy, billed: known, resetAt: waitMs === undefined ? null : NOW + waitMs });
    expect(error.isRetryable).toBe(remedy === 'retry' || remedy === 'wait');
    if ('words' in fault && !('body' in fault)) expect(error.details['words']).toContain(fault.words);
    if (fault.kind === 'status') expect(error.details['status']).toBe(fault.status);
    expect(server.calls.at(-1)?.number).toBe(server.calls.length);
  });

  it('a server that nobody runs', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const error = await failure(chat(make(gone)));
    expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', remedy: 'retry', billed: 'nothing' });
  });

  it('a name that does not exist', async () => {
    const nowhere = { url: 'http://models.invalid', openaiUrl: 'http://models.invalid/v1' };
    const error = await failure(chat(make(nowhere)));
    expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', remedy: 'retry', billed: 'nothing' });
  });

  it('a server without TLS behind https', async () => {
    const secure = {
      url: server.url.replace('http:', 'https:'),
      openaiUrl: server.openaiUrl.replace('http:', 'https:'),
    };
    const error = await failure(chat(make(secure)));
    expect(error).toMatchObject({ code: 'MODEL_TLS', remedy: 'give-up', billed: 'nothing' });
  });

  it.each(['http://127.0.0.1:9', 'http://127.0.0.1:6000/deeper', 'ftp://127.0.0.1', 'http://user:pass@127.0.0.1'])(
    'an address that nothing can be sent to: %s',
    async (url) => {
      const settings = { baseUrl: 'THE_BASE_URL', key: 'THE_KEY' };
      const error = await failure(chat(make({ url, openaiUrl: url }, { settings })));
      expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', remedy: 'give-up', billed: 'nothing' });
      expect(error.message).toContain('check THE_BASE_URL');
      expect(error.message).not.toContain('pass@');
    },
  );

  it.each(['a-key-with-a\nline-break', 'ключ-с-буквами'])('a key that cannot be sent: %j', async (apiKey) => {
    const before = server.calls.length;
    const settings = { baseUrl: 'THE_BASE_URL', key: 'THE_KEY' };
    const error = await failure(chat(make(server, { apiKey, settings })));
    expect(error).toMatchObject({ code: 'MODEL_BAD_KEY', remedy: 'give-up', billed: 'nothing' });
    expect(error.message).toContain('check THE_KEY');
    expect(`${error.stack} ${JSON.stringify(error.details)}`).not.toContain(apiKey.slice(0, 5));
    expect(server.calls.length).toBe(before);
  });

  it('an error that quotes the key', async () => {
    server.use([{ fault: status(401, { words: `Incorrect API key provided: ${KEY}` }) }]);
    const error = await failure(chat(make(server)));
    expect(`${error.stack} ${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`).not.toContain(
      KEY,
    );
    expect(error.message).toContain('Incorrect API key provided');
  });

  it('an error of many words', async () => {
    server.use([{ fault: status(400, { words: 'blah '.repeat(200_000) }) }]);
    const error = await failure(chat(make(server)));
    expect(error.message.length).toBeLessThan(3_000);
    expect(error.message).toContain(error.details['words']);
  });

  it('nothing twice: a failing call is sent once', async () => {
    const before = server.calls.length;
    server.use([{ fault: status(500) }, { text: 'would work' }]);
    await failure(chat(make(server)));
    expect(server.calls.length).toBe(before + 1);
  });
});

describe.each(MAKERS)('an answer of %s that is complete is taken', (_name, make) => {
  it.each(['reset', 'silence'] as const)('though what follows is %s', async (then) => {
    server.use([{ text: 'All of it.', fault: { kind: 'after-end', then } }]);
    const patient = { idleMs: 60_000, timeoutMs: 60_000 };
    expect(await chat(make(server), patient)).toMatchObject({ text: 'All of it.', stop: 'end' });
    await eventually('the connection is let go', () => server.calls.at(-1)?.isAbandoned);
  });
});

describe('an answer whose cost was said before it broke', () => {
  it.each(MAKERS.filter(([name]) => name === 'anthropic'))(
    'is known to be billed with it (%s)',
    async (_name, make) => {
      const usage = { input: 70, output: 30, cacheRead: 20, cacheWrite: 10, reasoning: 0 };
      // Everything but the last event, which says nothing but that it is over.
      server.use([{ text: 'Hello.', usage, fault: { kind: 'cut', afterEvents: 99 } }]);
      expect(await failure(chat(make(server)))).toMatchObject({ code: 'MODEL_CUT_OFF', billed: usage });
    },
  );
});
