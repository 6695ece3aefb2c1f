import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentTrace } from '#kernel';
import { type ModelServer, startModelServer } from '#testing';
import { MAKERS } from '../providers/under-test.fixture.js';
import { Meter } from './meter.js';
import { MeteringDesk } from './metering-desk.js';
import { ScriptedLedger, SleepClock, wish } from './money.fixture.js';
import { openPriceBook, worstPriceOf } from './open-price-book.js';
import { costOf } from './price.js';

let server: ModelServer;
beforeAll(async () => (server = await startModelServer()));
afterAll(() => server.stop());

const MODELS: Readonly<Record<string, string>> = { anthropic: 'claude-haiku-5-5', openai: 'gpt-5', compatible: 'mine' };
const prices = openPriceBook(null);
const signal = new AbortController().signal;

/** The desk with the official SDKs before a server that breaks off twice, and then answers. */
async function cutTwice(name: string, changes: { readonly model?: string } = {}) {
  const [ledger, clock, model] = [new ScriptedLedger(), new SleepClock(), MODELS[name] ?? ''];
  const meter = new Meter({ ledger, prices, clock, trace: silentTrace, worstPrice: worstPriceOf({ input: '15', output: '75' }) }); // prettier-ignore
  const providers = new Map(MAKERS.map(([of, make]) => [of, make(server)]));
  const tiers = { small: [{ provider: name, model }], medium: [], large: [] };
  const desk = new MeteringDesk({ providers, tiers, prices, meter, clock, trace: silentTrace });
  const usage = { input: 20_000, output: 40, cacheRead: 9_000, cacheWrite: 1_000 };
  const fault = { kind: 'cut', afterEvents: 4 } as const;
  const said = { text: 'An answer of some length.', usage, ...changes };
  server.use([{ ...said, fault }, { ...said, fault }, said]);
  const messages = [{ role: 'user', text: 'x'.repeat(120_000) } as const];
  await desk.chat({ ...wish, messages, maxOutputTokens: 16_000 }, { signal });
  return { settled: ledger.settled, reserved: ledger.reserved.map(({ reserved }) => reserved), usage };
}

it('a call that is cut counts what Anthropic said of its prompt, and no more than its answer could have', async () => {
  const { settled, reserved, usage } = await cutTwice('anthropic');
  const price = prices.priceOf({ provider: 'anthropic', model: 'claude-haiku-5-5' }, new Date());
  if (!price) throw new Error('the model of this test has no price');
  const soFar = { ...usage, output: 1, reasoning: 0 };
  const counted = { tokens: 20_000 + 1_000 + 16_000, nanoUsd: costOf({ ...soFar, output: 16_000 }, price) };
  const cut = { status: 'cut', errorCode: 'MODEL_CUT_OFF', answeredBy: 'claude-haiku-5-5', usage: soFar };
  expect(settled).toMatchObject([
    { ...cut, counted, costNanoUsd: null },
    { ...cut, counted, costNanoUsd: null },
    { status: 'done', counted: { tokens: 21_040 } },
  ]);
  expect(reserved[0]?.tokens).toBeGreaterThan(120_000);
});

it.each(['openai', 'compatible'])(
  'a call of %s, which says nothing before its end, counts with its reservation',
  async (name) => {
    const { settled, reserved } = await cutTwice(name);
    expect(settled.slice(0, 2)).toMatchObject(
      reserved.slice(0, 2).map((counted) => ({ status: 'cut', usage: null, counted })),
    );
  },
);

it('a call that another model began to answer counts with its reservation', async () => {
  const { settled, reserved } = await cutTwice('anthropic', { model: 'claude-opus-5-5' });
  expect(settled[0]).toMatchObject({ status: 'cut', usage: null, answeredBy: 'claude-opus-5-5', counted: reserved[0] });
});
