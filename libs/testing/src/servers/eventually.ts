import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is neither undefined, null nor false; for what real servers and processes do in their own time. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T> | T,
  options: { deadlineMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + (options.deadlineMs ?? 10_000);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`did not happen in time: ${what}`);
    await delay(options.everyMs ?? 20);
  }
}
