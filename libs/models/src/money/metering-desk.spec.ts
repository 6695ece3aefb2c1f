import { describe, expect, it } from 'vitest';
import { type SpanFacts, type Trace, UserError } from '#kernel';
import { BudgetExceeded } from '../model-desk.port.js';
import type { ModelError } from '../model-error.js';
import type { ModelRef } from '../model.port.js';
import { BOTH, NOW, scene } from './desk.fixture.js';
import type { NewCall } from './ledger.port.js';
import { answer, failure, ScriptedProvider, wish } from './money.fixture.js';

const breaker = { name: 'usd', cap: '1', used: '1', reserved: '0', wanted: '1' } as const;

describe('a chat', () => {
  it('is reserved, sent and settled, and answered with its cost', async () => {
    const provider = new ScriptedProvider('anthropic');
    const { chat, ledger } = scene([provider]);
    expect(await chat()).toMatchObject({
      text: 'something', ref: { provider: 'anthropic', model: 'claude-haiku-5-5' }, isSimulated: false,
      costNanoUsd: 15_000n, contextTokens: 1_000_000,
    }); // prettier-ignore
    expect(provider.asked).toMatchObject([
      { model: { model: 'claude-haiku-5-5' }, about: { role: 'coder', purpose: 'test', attempt: 1, tier: 'small' } },
    ]);
    expect(Object.keys(provider.asked[0] ?? {})).not.toContain('known');
    expect(ledger.settled).toMatchObject([
      { status: 'done', answeredBy: 'claude-haiku-5-5', counted: { tokens: 110 } },
    ]);
  });

  it('whose use nobody counted counts in full, at a cost that is unknown', async () => {
    const { chat, ledger } = scene([new ScriptedProvider('anthropic', [{ ...answer, isUsageKnown: false }])]);
    expect(await chat()).toMatchObject({ text: 'something', costNanoUsd: null });
    const errorCode = 'MODEL_USAGE_UNKNOWN';
    expect(ledger.settled).toMatchObject([{ status: 'cut', usage: null, costNanoUsd: null, errorCode }]);
    expect(ledger.settled[0]?.counted.tokens).toBeGreaterThan(1_000);
  });

  it('that another model answered counts in full: its tokens have another price', async () => {
    const other = { ...answer, model: 'claude-opus-5-5' };
    const { chat, ledger } = scene([new ScriptedProvider('anthropic', [other])]);
    expect(await chat()).toMatchObject({ text: 'something', costNanoUsd: null });
    expect(ledger.settled).toMatchObject([{ status: 'cut', usage: null, answeredBy: 'claude-opus-5-5' }]);
    const dated = { ...answer, model: 'claude-haiku-5-5-20260101' };
    const same = scene([new ScriptedProvider('anthropic', [dated])]);
    expect(await same.chat()).toMatchObject({ costNanoUsd: 15_000n });
  });

  it('of a model without a price counts what was reported, whoever answered: all are priced alike', async () => {
    const { chat, ledger } = scene([new ScriptedProvider('compatible', [{ ...answer, model: 'who-knows.gguf' }])], {
      small: 'compatible:mine',
    });
    await chat();
    expect(ledger.settled).toMatchObject([{ status: 'done', counted: { tokens: 110 }, costNanoUsd: null }]);
  });

  it('goes to the model that the project asked for first', async () => {
    const [own, usual] = [new ScriptedProvider('openai'), new ScriptedProvider('anthropic')];
    const { chat, desk } = scene([own, usual]);
    const models = { small: 'openai:gpt-5' };
    expect(await chat({ models })).toMatchObject({ ref: { provider: 'openai', model: 'gpt-5' } });
    expect(desk.candidates('small', models).map(({ model }) => model)).toEqual(['gpt-5', 'claude-haiku-5-5']);
    expect(desk.candidates('small', { small: 'anthropic:claude-haiku-5-5' })).toHaveLength(1);
  });

  it('goes to a model of the project though nobody provides the configured ones, which are no fallback then', async () => {
    const { chat, desk } = scene([new ScriptedProvider('openai')]);
    const models = { small: 'openai:gpt-5' };
    expect(await chat({ models })).toMatchObject({ ref: { provider: 'openai', model: 'gpt-5' } });
    expect(desk.candidates('small', models)).toHaveLength(1);
    expect(() => desk.candidates('small')).toThrow('QRALPH_MODEL_SMALL');
  });

  it('with a model that nobody provides, or that is none, is refused with what to do', () => {
    const { desk } = scene([new ScriptedProvider('anthropic')]);
    expect(() => desk.candidates('small', { small: 'openai:gpt-5' })).toThrow(UserError);
    expect(() => desk.candidates('small', { small: 'gpt-5' })).toThrow('write provider:model');
  });

  it('past the cap is not sent', async () => {
    const provider = new ScriptedProvider('anthropic');
    const { chat, ledger } = scene([provider]);
    ledger.answers.push({ kind: 'full', fitsAlone: false, breaker });
    await expect(chat()).rejects.toThrow(BudgetExceeded);
    expect([provider.asked, ledger.settled]).toEqual([[], []]);
  });

  it('waits for room in the budget for a time of its own, and is told of when it leaves', async () => {
    const provider = new ScriptedProvider('anthropic');
    const { desk, ledger, clock, leaving } = scene([provider]);
    const sentAt: number[] = [];
    const listener = { signal: leaving.signal, onSend: () => sentAt.push(clock.now()) };
    ledger.changed = () => clock.sleep(30_000);
    ledger.answers.push({ kind: 'full', fitsAlone: true, breaker });
    await desk.chat(wish, listener);
    expect([sentAt, provider.asked.length]).toEqual([[30_000], 1]);
    ledger.answers.push(...[1, 2, 3].map(() => ({ kind: 'full', fitsAlone: true, breaker }) as const));
    const busy = desk.chat({ ...wish, timeoutMs: 600_000 }, listener);
    await expect(busy).rejects.toMatchObject({ code: 'MODEL_BUDGET_BUSY', remedy: 'wait' });
    expect(sentAt).toHaveLength(1);
  });

  it('that goes on is bounded by what the last answer reported, but only for the model that reported it', async () => {
    const { chat, ledger } = scene([new ScriptedProvider('anthropic')]);
    const messages = [{ role: 'user', text: 'x'.repeat(50_000) } as const];
    const known = { messages: 1, tokens: 700, cached: 0 };
    await chat({ messages, known, pinned: { provider: 'anthropic', model: 'claude-haiku-5-5' } });
    await chat({ messages, known });
    const [pinned = 0, free = 0] = ledger.reserved.map(({ reserved }) => reserved.tokens);
    expect(pinned).toBeLessThan(5_000);
    expect(free).toBeGreaterThan(50_000);
  });

  it('is a span with its provider, tokens, cost and end', async () => {
    const spans: SpanFacts[] = [];
    const trace: Trace = {
      traceId: () => 'trace',
      within: (kind, subject, facts, work) => {
        const at = spans.push({ kind, subject, ...facts }) - 1;
        return work((more) => (spans[at] = { ...spans[at], ...more }));
      },
    };
    const { chat, ledger } = scene([new ScriptedProvider('anthropic', [failure('retry')])], { trace });
    await chat();
    expect(spans).toMatchObject([
      {
        kind: 'chat',
        subject: 'claude-haiku-5-5',
        prompt: 'test@1',
        status: 'failed',
        errorCode: 'MODEL_TEST',
        costUsd: '0.00',
      },
      { provider: 'anthropic', model: 'claude-haiku-5-5', status: 'done', input: 100, output: 10, costUsd: '0.000015' },
    ]);
    expect(ledger.reserved.map(({ traceId }) => traceId)).toEqual(['trace', 'trace']);
  });
});

describe('a failure', () => {
  it('that may pass is tried again after a moment, every try a call of its own', async () => {
    const provider = new ScriptedProvider('anthropic', [failure('retry'), failure('retry', 'unknown')]);
    const { chat, clock, statuses } = scene([provider]);
    await chat();
    expect(clock.naps).toEqual([500, 1_000]);
    expect(statuses()).toEqual(['failed', 'cut', 'done']);
  });

  it('is told of with its model, try by try, whatever mends it', async () => {
    const [first, second] = [failure('retry', 'unknown'), failure('wait', 'nothing', 99)];
    const { chat, statuses } = scene(
      [new ScriptedProvider('anthropic', [first, second]), new ScriptedProvider('openai', [failure('give-up')])],
      { small: BOTH },
    );
    const told: string[] = [];
    const onFailure = ({ provider }: ModelRef, { remedy }: ModelError) => told.push(`${provider} ${remedy}`);
    await expect(chat({}, { onFailure })).rejects.toMatchObject({ remedy: 'wait' });
    expect(told).toEqual(['anthropic retry', 'anthropic wait', 'openai give-up']);
    expect(statuses()).toEqual(['cut', 'failed', 'failed']);
    const calm = scene([new ScriptedProvider('anthropic')]);
    await calm.chat({}, { onFailure });
    expect(told).toHaveLength(3);
  });

  it('that does not pass leads to the tier’s next model, and is thrown where there is none', async () => {
    const bad = () =>
      new ScriptedProvider(
        'anthropic',
        [1, 2, 3].map(() => failure('retry')),
      );
    const both = scene([bad(), new ScriptedProvider('openai')], { small: BOTH });
    expect(await both.chat()).toMatchObject({ ref: { provider: 'openai' } });
    expect(both.statuses()).toEqual(['failed', 'failed', 'failed', 'done']);
    const alone = scene([bad()]);
    await expect(alone.chat()).rejects.toMatchObject({ remedy: 'retry' });
  });

  it('that wants to be waited for goes to the next model at once, and is thrown where there is none', async () => {
    const both = scene(
      [new ScriptedProvider('anthropic', [failure('wait', 'nothing', 99)]), new ScriptedProvider('openai')],
      { small: BOTH },
    );
    expect(await both.chat()).toMatchObject({ ref: { provider: 'openai' } });
    expect(both.clock.naps).toEqual([]);
    const alone = scene([new ScriptedProvider('anthropic', [failure('wait', 'nothing', 99)])]);
    await expect(alone.chat()).rejects.toMatchObject({ remedy: 'wait', resetAt: 99 });
  });

  it('of every model is answered with the one that ends first by itself', async () => {
    const waiting = new ScriptedProvider('anthropic', [failure('wait', 'nothing', 99)]);
    const sooner = scene([waiting, new ScriptedProvider('openai', [failure('wait', 'nothing', 50)])], { small: BOTH });
    await expect(sooner.chat()).rejects.toMatchObject({ remedy: 'wait', resetAt: 50 });
    const again = new ScriptedProvider('anthropic', [failure('wait', 'nothing', 99)]);
    const refused = scene([again, new ScriptedProvider('openai', [failure('give-up')])], { small: BOTH });
    await expect(refused.chat()).rejects.toMatchObject({ remedy: 'wait', resetAt: 99 });
  });

  it('that wants to be waited for is, though the next model does not fit into the budget', async () => {
    const full = { kind: 'full', fitsAlone: false, breaker } as const;
    const first = (remedy: 'wait' | 'retry') =>
      new ScriptedProvider(
        'anthropic',
        [1, 2, 3].map(() => failure(remedy)),
      );
    const room = (call: NewCall) => ({ kind: 'reserved', callId: call.id }) as const;
    for (const [remedy, thrown] of [
      ['wait', { remedy: 'wait' }],
      ['retry', { code: 'BUDGET_EXCEEDED' }],
    ] as const) {
      const { chat, ledger } = scene([first(remedy), new ScriptedProvider('openai')], { small: BOTH });
      ledger.reserve = async (call) => (call.model.provider === 'openai' ? full : room(call));
      await expect(chat()).rejects.toMatchObject(thrown);
    }
  });

  it('of a conversation that has begun never leads to another model', async () => {
    const other = new ScriptedProvider('openai');
    const { chat } = scene([new ScriptedProvider('anthropic', [failure('wait', 'nothing', 99)]), other], {
      small: BOTH,
    });
    await expect(chat({ pinned: { provider: 'anthropic', model: 'claude-haiku-5-5' } })).rejects.toMatchObject({
      remedy: 'wait',
    });
    expect(other.asked).toEqual([]);
  });

  it.each(['give-up', 'cancelled'] as const)('that is final (%s) is thrown at once', async (remedy) => {
    const other = new ScriptedProvider('openai');
    const { chat, statuses } = scene([new ScriptedProvider('anthropic', [failure(remedy)]), other], { small: BOTH });
    await expect(chat()).rejects.toMatchObject({ remedy });
    expect([other.asked.length, statuses()]).toEqual([0, ['failed']]);
  });

  it('is not tried again once the call is off', async () => {
    const provider = new ScriptedProvider('anthropic', [failure('retry'), answer]);
    const { chat, clock, leaving } = scene([provider]);
    clock.sleep = () => Promise.resolve(leaving.abort());
    await expect(chat()).rejects.toMatchObject({ remedy: 'retry' });
    expect(provider.asked).toHaveLength(1);
  });

  describe('of a provider that is away', () => {
    const away = (code: string, billed: ModelError['billed'] = 'nothing') =>
      new ScriptedProvider(
        'anthropic',
        [1, 2, 3].map(() => failure('retry', billed, undefined, code)),
      );
    const run = (nth: number) => ({ about: { ...wish.about, effect: { key: 'k', run: nth } } });

    it.each(['MODEL_UNREACHABLE', 'MODEL_SERVER_ERROR'])(
      'is waited for, longer each time (%s), and not for ever',
      async (code) => {
        for (const [nth, waitMs] of [[1, 30_000], [2, 60_000], [6, 900_000], [12, 900_000]] as const) {
          const { chat } = scene([away(code)]);
          await expect(chat(run(nth))).rejects.toMatchObject({ code, remedy: 'wait', resetAt: NOW + waitMs });
        }
        const { chat } = scene([away(code)]);
        await expect(chat(run(13))).rejects.toMatchObject({ code, remedy: 'retry', message: 'retry' });
      },
    ); // prettier-ignore

    it('is not where each try may have been paid for, nor where it answers rubbish', async () => {
      for (const provider of [away('MODEL_SERVER_ERROR', 'unknown'), away('MODEL_MALFORMED')]) {
        await expect(scene([provider]).chat()).rejects.toMatchObject({ remedy: 'retry' });
      }
    });

    it('leads to the tier’s next model first', async () => {
      const { chat } = scene([away('MODEL_UNREACHABLE'), new ScriptedProvider('openai')], { small: BOTH });
      expect(await chat()).toMatchObject({ ref: { provider: 'openai' } });
    });
  });

  it('that no provider may have counts as an answer that was cut', async () => {
    const { chat, ledger } = scene([new ScriptedProvider('anthropic', [new TypeError('a bug')])]);
    await expect(chat()).rejects.toThrow(TypeError);
    expect(ledger.settled).toMatchObject([{ status: 'cut', costNanoUsd: null }]);
  });
});
