/**
 * Time as the engine knows it. `now` is monotonic within a process and is used for waits only;
 * whatever must hold across processes (leases, timers) is measured by the database's clock.
 */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timeout would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    let restMs = ms;
    for (; restMs > LONGEST_TIMEOUT_MS && !signal?.aborted; restMs -= LONGEST_TIMEOUT_MS) {
      await timeout(LONGEST_TIMEOUT_MS, signal);
    }
    await timeout(restMs, signal);
  },
};

function timeout(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
