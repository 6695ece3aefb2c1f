import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runJob } from './run-job.js';

describe('running a job', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('passes on how the work ended and leaves no timer behind', async () => {
    const stop = new AbortController();
    await runJob(1_000, stop.signal, () => Promise.resolve());
    await expect(runJob(1_000, stop.signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts and fails work that takes too long, even if it never ends', async () => {
    const signals: AbortSignal[] = [];
    const running = runJob(1_000, new AbortController().signal, (signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const outcome = expect(running).rejects.toMatchObject({ code: 'JOB_TIMED_OUT', isRetryable: true });
    await vi.advanceTimersByTimeAsync(999);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals[0]?.aborted).toBe(true);
    await outcome;
  });

  it('fails at once with the reason of the stop, also when it was stopped before it began', async () => {
    const stop = new AbortController();
    const running = runJob(1_000, stop.signal, () => new Promise(() => undefined));
    stop.abort(new Error('closing'));
    await expect(running).rejects.toThrow('closing');
    await expect(runJob(1_000, stop.signal, () => new Promise(() => undefined))).rejects.toThrow('closing');
  });
});
