import { describe, expect, it } from 'vitest';
import { BOTH, scene } from './desk.fixture.js';
import { failure, ScriptedProvider } from './money.fixture.js';

const OWN = [
  'MODEL_BAD_KEY',
  'MODEL_FORBIDDEN',
  'MODEL_UNKNOWN',
  'MODEL_REDIRECTED',
  'MODEL_TLS',
  'MODEL_UNREACHABLE',
  'MODEL_REQUEST_TOO_LARGE',
  'MODEL_CONTEXT_EXCEEDED',
];

const refusing = (code: string) => new ScriptedProvider('anthropic', [failure('give-up', 'nothing', undefined, code)]);

describe.each(OWN)('a failure that is the provider’s or its model’s own (%s)', (code) => {
  it('leads to the tier’s next model at once', async () => {
    const { chat, statuses, clock } = scene([refusing(code), new ScriptedProvider('openai')], { small: BOTH });
    expect(await chat()).toMatchObject({ ref: { provider: 'openai' } });
    expect([statuses(), clock.naps]).toEqual([['failed', 'done'], []]);
  });

  it('is thrown where there is no other model, or the conversation has begun', async () => {
    await expect(scene([refusing(code)]).chat()).rejects.toMatchObject({ code });
    const other = new ScriptedProvider('openai');
    const { chat } = scene([refusing(code), other], { small: BOTH });
    const pinned = { provider: 'anthropic', model: 'claude-haiku-5-5' };
    await expect(chat({ pinned })).rejects.toMatchObject({ code });
    expect(other.asked).toEqual([]);
  });

  it('gives way to that of a model which only wants to be waited for', async () => {
    const waiting = new ScriptedProvider('openai', [failure('wait', 'nothing', 99)]);
    const { chat } = scene([refusing(code), waiting], { small: BOTH });
    await expect(chat()).rejects.toMatchObject({ remedy: 'wait', resetAt: 99 });
  });
});

it('a failure that is the request’s own leads nowhere: it would be refused there too', async () => {
  const other = new ScriptedProvider('openai');
  const { chat } = scene([refusing('MODEL_BAD_REQUEST'), other], { small: BOTH });
  await expect(chat()).rejects.toMatchObject({ code: 'MODEL_BAD_REQUEST' });
  expect(other.asked).toEqual([]);
});
