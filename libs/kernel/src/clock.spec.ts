import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.js';

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function isOver(sleep: Promise<void>): Promise<boolean> {
    const marker = Symbol('still asleep');
    return (await Promise.race([sleep, Promise.resolve().then(() => marker)])) !== marker;
  }

  it('sleeps for the time it was given', async () => {
    const sleep = systemClock.sleep(1_000);
    // Not `advanceTimersByTimeAsync`: it lets code of other specs run, which may set timers of its own.
    vi.advanceTimersByTime(999);
    expect(await isOver(sleep)).toBe(false);
    vi.advanceTimersByTime(1);
    await sleep;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('wakes at once, without an error and without a timer left, when the signal aborts', async () => {
    const nap = new AbortController();
    const sleep = systemClock.sleep(1_000, nap.signal);
    nap.abort(new Error('never seen'));
    await sleep;
    await systemClock.sleep(1_000, nap.signal);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sleeps for months too, beyond what one timer can hold', async () => {
    const monthsMs = 60 * 24 * 3_600_000;
    const sleep = systemClock.sleep(monthsMs);
    await vi.advanceTimersByTimeAsync(monthsMs - 1);
    expect(await isOver(sleep)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleep;
  });

  it('wakes from such a sleep at once as well', async () => {
    const nap = new AbortController();
    const sleep = systemClock.sleep(60 * 24 * 3_600_000, nap.signal);
    nap.abort();
    await sleep;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never runs backwards', () => {
    const first = systemClock.now();
    vi.setSystemTime(0);
    expect(systemClock.now()).toBeGreaterThanOrEqual(first);
  });
});
