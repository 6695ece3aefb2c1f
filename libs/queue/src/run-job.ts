import { WorldError } from '#kernel';

/**
 * Runs the work and fails as soon as its time is up or the queue stops, even where the work ignores its signal:
 * a handler that hangs must not hold its place for ever.
 */
export async function runJob(
  timeoutMs: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new WorldError('JOB_TIMED_OUT', `the job took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  const onStop = (): void => controller.abort(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    await Promise.race([work(controller.signal), abortOf(controller.signal)]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
