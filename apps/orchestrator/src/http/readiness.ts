import { errorCode } from '#kernel';
import type { Readiness } from './ports.js';

/** Looks at one thing the service needs: null when it is well, else what is wrong. */
export type Check = () => Promise<string | null>;

const DEADLINE_MS = 2_000;

/** All checks at once; one that fails or takes too long is not ready, and never keeps the answer waiting. */
export function readinessOf(checks: Readonly<Record<string, Check>>): Readiness {
  return {
    check: async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(checks).map(async ([name, check]) => {
            const detail = await inTime(check);
            return [name, detail === null ? { ok: true } : { ok: false, detail }] as const;
          }),
        ),
      ),
  };
}

async function inTime(check: Check): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('did not answer in time'), DEADLINE_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    // Only the code: the answer is open to anybody, and a driver's message names hosts.
    return `failed (${errorCode(error)})`;
  } finally {
    clearTimeout(timer);
  }
}
