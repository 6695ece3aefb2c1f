import { describe, expect, it, vi } from 'vitest';
import { LeaseLost } from '#engine';
import { silentTrace, WorldError } from '#kernel';
import { BudgetExceeded } from '../model-desk.port.js';
import { Meter } from './meter.js';
import { about, ScriptedLedger, SleepClock } from './money.fixture.js';
import { openPriceBook, worstPriceOf } from './open-price-book.js';

const breaker = { name: 'usd', cap: '1', used: '1', reserved: '0', wanted: '1' } as const;
const away = (code = 'STORE_AWAY') => new WorldError(code, code);
const bound = { inputTokens: 1_000, outputTokens: 100 };
const NOW = Date.parse('2026-03-01T12:00:00Z');
const haiku = { provider: 'anthropic', model: 'claude-haiku-5-5' };

function scene(model = haiku, isSimulated = false) {
  const [ledger, clock, leaving] = [new ScriptedLedger(), new SleepClock(), new AbortController()];
  const worstPrice = worstPriceOf({ input: '15', output: '75' });
  const prices = openPriceBook(null);
  const meter = new Meter({ ledger, prices, clock, epochMs: () => NOW, trace: silentTrace, worstPrice });
  const begin = (ms = 1_000) => meter.begin({ about, model, isSimulated, bound }, { ms, signal: leaving.signal });
  return { ledger, clock, leaving, begin };
}

describe('a call', () => {
  it('sets its maximum aside before it is sent, and settles with what it cost', async () => {
    const { ledger, begin } = scene();
    const call = await begin();
    expect(ledger.reserved).toMatchObject([
      { id: call.callId, priceVersion: 'qralph/2025-01-01', reserved: { nanoUsd: 175_000n, tokens: 1_100 } },
    ]);
    const usage = { input: 500, output: 50, cacheRead: 100, cacheWrite: 0, reasoning: 0 };
    expect(await call.settle({ billed: usage, errorCode: null, answeredBy: 'x' })).toBe(76_000n);
    expect(ledger.settled).toMatchObject([
      { callId: call.callId, status: 'done', usage, costNanoUsd: 76_000n, counted: { nanoUsd: 76_000n, tokens: 550 } },
    ]);
  });

  it('of a model without a price counts at the worst case, and its cost is unknown', async () => {
    const { ledger, begin } = scene({ provider: 'compatible', model: 'who' });
    const call = await begin();
    expect(ledger.reserved).toMatchObject([{ priceVersion: null, reserved: { nanoUsd: 22_500_000n } }]);
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(await call.settle({ billed: usage, errorCode: null, answeredBy: null })).toBeNull();
    expect(ledger.settled).toMatchObject([{ costNanoUsd: null, counted: { nanoUsd: 2_250_000n, tokens: 110 } }]);
  });

  it('that no model answered costs nothing and says so', async () => {
    const { ledger, begin } = scene({ provider: 'playbook', model: 'playbook' }, true);
    const call = await begin();
    expect(ledger.reserved).toMatchObject([
      { isSimulated: true, priceVersion: 'simulated', reserved: { nanoUsd: 0n, tokens: 1_100 } },
    ]);
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(await call.settle({ billed: usage, errorCode: null, answeredBy: null })).toBe(0n);
  });

  it('that failed without an answer counts nothing; one that was cut counts with its reservation', async () => {
    const { ledger, begin } = scene();
    await (await begin()).settle({ billed: 'nothing', errorCode: 'E', answeredBy: null });
    await (await begin()).settle({ billed: 'unknown', errorCode: 'E', answeredBy: null });
    expect(ledger.settled).toMatchObject([
      { status: 'failed', costNanoUsd: 0n, counted: { nanoUsd: 0n, tokens: 0 }, errorCode: 'E' },
      { status: 'cut', costNanoUsd: null, counted: { nanoUsd: 175_000n, tokens: 1_100 } },
    ]);
  });

  it.each([NaN, -1, 1.5, Infinity, 2 ** 60])(
    'whose provider reports %s tokens counts with its reservation',
    async (input) => {
      const { ledger, begin } = scene();
      const usage = { input, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
      expect(await (await begin()).settle({ billed: usage, errorCode: null, answeredBy: null })).toBeNull();
      expect(ledger.settled).toMatchObject([{ status: 'done', usage: null, counted: { nanoUsd: 175_000n } }]);
    },
  );

  it('is settled once, the first time', async () => {
    const { ledger, begin } = scene();
    const call = await begin();
    await Promise.all([
      call.settle({ billed: 'nothing', errorCode: 'A', answeredBy: null }),
      call.settle({ billed: 'unknown', errorCode: 'B', answeredBy: null }),
    ]);
    expect(ledger.settled).toMatchObject([{ errorCode: 'A' }]);
  });
});

describe('a call that does not fit', () => {
  it('waits for those under way, and is sent when there is room', async () => {
    const { ledger, begin } = scene();
    ledger.answers.push({ kind: 'full', fitsAlone: true, breaker }, { kind: 'full', fitsAlone: true, breaker });
    await begin();
    expect([ledger.waits, ledger.reserved.length]).toEqual([2, 1]);
  });

  it('and would not fit alone trips the breaker', async () => {
    const { ledger, begin } = scene();
    ledger.answers.push({ kind: 'full', fitsAlone: false, breaker });
    await expect(begin()).rejects.toThrow(BudgetExceeded);
  });

  it('though it would alone, for longer than the call may take, lets the project wait and go on by itself', async () => {
    const { ledger, clock, begin } = scene();
    ledger.answers.push({ kind: 'full', fitsAlone: true, breaker }, { kind: 'full', fitsAlone: true, breaker });
    ledger.changed = () => clock.sleep(2_000);
    const busy = { code: 'MODEL_BUDGET_BUSY', remedy: 'wait', billed: 'nothing', resetAt: NOW + 30_000 };
    await expect(begin()).rejects.toMatchObject(busy);
  });

  it('stops waiting when it is called off', async () => {
    const { ledger, leaving, begin } = scene();
    ledger.answers.push({ kind: 'full', fitsAlone: true, breaker });
    ledger.changed = () => Promise.resolve(leaving.abort());
    await expect(begin()).rejects.toMatchObject({ remedy: 'cancelled' });
  });

  it('is not sent by a worker that lost the project', async () => {
    const { ledger, begin } = scene();
    ledger.answers.push({ kind: 'stale' });
    await expect(begin()).rejects.toThrow(LeaseLost);
  });
});

describe('while the database is away', () => {
  it('a reservation is asked for again under the same id', async () => {
    const { ledger, begin } = scene();
    const ids: string[] = [];
    const reserve = ledger.reserve.bind(ledger);
    ledger.reserve = (call) => (ids.push(call.id), reserve(call));
    ledger.answers.push(away(), away('ANSWER_LOST'));
    await begin();
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(3);
  });

  it('a reservation is given up when its time is over', async () => {
    const { ledger, begin } = scene();
    ledger.answers.push(...Array.from({ length: 100 }, () => away()));
    await expect(begin()).rejects.toMatchObject({ code: 'STORE_AWAY' });
  });

  it('a reservation that is given up, and may stand there all the same, is let go of as soon as it is back', async () => {
    const { ledger, leaving, begin } = scene();
    const ids: string[] = [];
    ledger.reserve = (call) => {
      ids.push(call.id);
      leaving.abort();
      return Promise.reject(away('ANSWER_LOST'));
    };
    ledger.settleFaults.push(away());
    await expect(begin()).rejects.toMatchObject({ code: 'ANSWER_LOST' });
    await vi.waitFor(() => expect(ledger.settled).toHaveLength(1));
    expect(ledger.settled).toMatchObject([
      { callId: ids[0], status: 'failed', costNanoUsd: 0n, counted: { nanoUsd: 0n, tokens: 0 } },
    ]);
  });

  it('what is paid is settled as soon as it is back', async () => {
    const { ledger, clock, begin } = scene();
    const call = await begin();
    ledger.settleFaults.push(...Array.from({ length: 50 }, () => away('ANSWER_LOST')));
    await call.settle({ billed: 'unknown', errorCode: 'E', answeredBy: null });
    expect(ledger.settled).toHaveLength(1);
    expect(clock.naps).toHaveLength(50);
  });

  it('what was called off is settled for a moment longer, then left to the sweep', async () => {
    const { ledger, leaving, begin } = scene();
    const call = await begin();
    leaving.abort();
    ledger.settleFaults.push(...Array.from({ length: 50 }, () => away()));
    await expect(call.settle({ billed: 'unknown', errorCode: 'E', answeredBy: null })).rejects.toMatchObject({
      code: 'STORE_AWAY',
    });
  });
});
