import { setTimeout as after } from 'node:timers/promises';
import { WorldError } from '#kernel';

/** True when the work ended, well or badly, within the time. The work itself goes on if it did not. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const ended = work.then(
    () => true,
    () => true,
  );
  const late = after(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([ended, late]);
  } finally {
    timer.abort();
  }
}

/** The answer of the backend, or QUEUE_AWAY once the time is up or the backend refuses. */
export async function answerWithin<T>(ms: number, what: string, answer: Promise<T>): Promise<T> {
  if (!(await endsWithin(ms, answer))) {
    throw new WorldError('QUEUE_AWAY', `the queue did not answer within ${ms} ms: ${what}`, { what });
  }
  try {
    return await answer;
  } catch (cause) {
    throw new WorldError('QUEUE_AWAY', `the queue failed: ${what}`, { what }, { cause });
  }
}
