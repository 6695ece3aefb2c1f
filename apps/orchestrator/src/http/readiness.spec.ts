import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorldError } from '#kernel';
import { readinessOf } from './readiness.js';

afterEach(() => vi.useRealTimers());

describe('readiness', () => {
  it('names what is not well, and nothing from inside', async () => {
    const readiness = readinessOf({
      database: () => Promise.reject(new WorldError('STORE_AWAY', 'connect 10.0.0.1')),
      queue: () => Promise.resolve(null),
      worker: () => Promise.resolve('took nothing lately'),
    });
    expect(await readiness.check()).toEqual({
      database: { ok: false, detail: 'failed (STORE_AWAY)' },
      queue: { ok: true },
      worker: { ok: false, detail: 'took nothing lately' },
    });
  });

  it('does not wait for what does not answer', async () => {
    vi.useFakeTimers();
    const checked = readinessOf({ queue: () => new Promise<null>(() => undefined) }).check();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await checked).toEqual({ queue: { ok: false, detail: 'did not answer in time' } });
  });
});
