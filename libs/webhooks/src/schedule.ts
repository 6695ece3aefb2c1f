/** Many that failed together do not come back together. */
const JITTER = 0.1;

/** However long a receiver asks for, it is asked again within a day. */
export const LONGEST_REST_MS = 86_400_000;

/**
 * How long after the attempt number `tries` the next one is due; null: that was the last one. A receiver that says when
 * to come back is not asked sooner. `random` is from 0 to 1.
 */
export function retryDelayMs(
  retries: readonly number[],
  tries: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const base = retries[tries - 1];
  if (base === undefined) return null;
  const scheduled = Math.round(base * (1 - JITTER + 2 * JITTER * random));
  return Math.max(scheduled, Math.min(retryAfterMs ?? 0, LONGEST_REST_MS));
}

/** `Retry-After`, in seconds or as a date. Null: there is none that makes sense. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined || header.length > 100) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST_REST_MS);
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMs), LONGEST_REST_MS);
}
