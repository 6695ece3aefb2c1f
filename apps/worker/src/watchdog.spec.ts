import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWatchdog } from './watchdog.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the watchdog', () => {
  it('looks every second until it is stopped', async () => {
    const look = vi.fn(() => Promise.resolve());
    const watchdog = await startWatchdog({ looks: { look }, onFailure: expect.unreachable });
    expect(look).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(look).toHaveBeenCalledTimes(3);
    await watchdog.stop();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(look).toHaveBeenCalledTimes(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not look again while it is looking', async () => {
    let done: () => void = () => undefined;
    const look = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
    const watchdog = await startWatchdog({ looks: { look }, onFailure: expect.unreachable });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(look).toHaveBeenCalledTimes(1);
    done();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(look).toHaveBeenCalledTimes(2);
    done();
    await watchdog.stop();
  });

  it('tells of a look that failed, and looks again', async () => {
    const away = new Error('the database is away');
    const onFailure = vi.fn();
    const watchdog = await startWatchdog({ looks: { dead: () => Promise.reject(away) }, onFailure });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onFailure.mock.calls).toEqual([
      ['dead', away],
      ['dead', away],
    ]);
    await watchdog.stop();
  });

  it('lets no look wait for another that fails or takes long', async () => {
    const look = vi.fn(() => Promise.resolve());
    const failing = (): Promise<never> => Promise.reject(new Error('it cannot be ended'));
    const endless = vi.fn(() => new Promise<never>(() => undefined));
    const watchdog = await startWatchdog({ looks: { failing, endless, look }, onFailure: () => undefined });
    await vi.advanceTimersByTimeAsync(3_000);
    expect([look.mock.calls.length, endless.mock.calls.length]).toEqual([3, 1]);
    await watchdog.stop();
  });
});
