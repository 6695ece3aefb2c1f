import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type ModelServer, startModelServer } from '#testing';
import { chat, failure, MAKERS } from './under-test.fixture.js';

let server: ModelServer;
beforeAll(async () => (server = await startModelServer()));
afterAll(() => server.stop());

describe.each(MAKERS)('cancelling a call of %s', (name, make) => {
  it('before it is sent sends nothing', async () => {
    const before = server.calls.length;
    const error = await failure(chat(make(server), {}, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({
      code: 'MODEL_CANCELLED',
      remedy: 'cancelled',
      billed: 'nothing',
      isRetryable: false,
    });
    expect(server.calls.length).toBe(before);
  });

  it.each([0, 4])(
    'after %i events ends it at once, also for the server, and nobody knows all of what it cost',
    async (afterEvents) => {
      server.use([{ text: 'An answer of some length.', pieces: 9, fault: { kind: 'silence', afterEvents } }]);
      const cancel = new AbortController();
      const asked = failure(chat(make(server), {}, { signal: cancel.signal }));
      const before = server.calls.length;
      await eventually('the call arrives', () => server.calls.length > before);
      cancel.abort(new Error('not wanted any more'));
      const error = await asked;
      expect(error).toMatchObject({ code: 'MODEL_CANCELLED', remedy: 'cancelled' });
      // Where the first event was read by then, Anthropic has said what it was sent.
      const mayBeSaid = name === 'anthropic' && afterEvents > 0;
      const soFar = { soFar: expect.objectContaining({ output: 1 }) as unknown };
      expect([error.billed]).toEqual([mayBeSaid && error.billed !== 'unknown' ? soFar : 'unknown']);
      await eventually('the server sees it', () => server.calls.at(-1)?.isAbandoned);
    },
  );

  it('after the answer changes nothing', async () => {
    server.use([{ text: 'done' }]);
    const cancel = new AbortController();
    const answer = await chat(make(server), {}, { signal: cancel.signal });
    cancel.abort();
    expect(answer.text).toBe('done');
  });
});
