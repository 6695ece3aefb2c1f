/** When a provider says that it is worth trying again. Headers are as hostile as anything else that comes in. */
export type HeaderReader = (name: string) => string | null;

const SECOND = 1_000;
export const SHORTEST_WAIT_MS = SECOND;
export const LONGEST_WAIT_MS = 24 * 3_600 * SECOND;

/** Epoch milliseconds between one second and one day from now; null where no header says anything of use. */
export function resetAtOf(header: HeaderReader, nowMs: number): number | null {
  const waitMs = retryAfterMs(header, nowMs) ?? limitResetMs(header, nowMs);
  return waitMs === null ? null : nowMs + clampWait(waitMs);
}

const REGAINED = /\bregain access on (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2}) UTC/;

/**
 * Of what is used up in money: as told in words, or of this request alone. The limits of a minute, which come along
 * with every answer, say nothing about it.
 */
export function quotaResetAtOf(words: string, header: HeaderReader, nowMs: number): number | null {
  const [, day, time] = REGAINED.exec(words) ?? [];
  const at = day === undefined || time === undefined ? NaN : Date.parse(`${day}T${time}Z`);
  const waitMs = Number.isFinite(at) ? at - nowMs : retryAfterMs(header, nowMs);
  return waitMs === null ? null : nowMs + clampWait(waitMs);
}

/** Between one second and one day. */
export function clampWait(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** What a server says of this request alone, and not of its limits. */
export function retryAfterMs(header: HeaderReader, nowMs: number): number | null {
  const ms = decimal(header('retry-after-ms'));
  if (ms !== null) return ms;
  const value = header('retry-after');
  const seconds = decimal(value);
  if (seconds !== null) return seconds * SECOND;
  return value === null ? null : untilDate(value, nowMs);
}

const LIMITS: readonly { readonly reset: string; readonly remaining: string }[] = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens', 'unified'].map((what) => ({
    reset: `anthropic-ratelimit-${what}-reset`,
    remaining: `anthropic-ratelimit-${what}-remaining`,
  })),
  ...['requests', 'tokens', 'project-tokens'].map((what) => ({
    reset: `x-ratelimit-reset-${what}`,
    remaining: `x-ratelimit-remaining-${what}`,
  })),
  { reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining' },
];

/** The latest of the limits that are used up; of all, where none is said to be. */
function limitResetMs(header: HeaderReader, nowMs: number): number | null {
  const told = LIMITS.flatMap(({ reset, remaining }) => {
    const value = header(reset);
    const waitMs = value === null ? null : untilReset(value, nowMs);
    return waitMs === null ? [] : [{ waitMs, isUsedUp: decimal(header(remaining)) === 0 }];
  });
  const usedUp = told.filter(({ isUsedUp }) => isUsedUp);
  const waits = (usedUp.length > 0 ? usedUp : told).map(({ waitMs }) => waitMs);
  return waits.length > 0 ? Math.max(...waits) : null;
}

function untilReset(value: string, nowMs: number): number | null {
  const number = decimal(value);
  if (number !== null) {
    // A bare number is seconds from now, or a moment in seconds or milliseconds since the epoch: by its size.
    if (number > 1e11) return number - nowMs;
    return number > 1e8 ? number * SECOND - nowMs : number * SECOND;
  }
  return durationMs(value) ?? untilDate(value, nowMs);
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3_600 * SECOND,
  d: 86_400 * SECOND,
};
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd]))+$/;

/** As in `1m30s`, `120ms`, `6h0m1.5s`. */
export function durationMs(value: string): number | null {
  const text = value.trim();
  if (text.length > 60 || !DURATION.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    sum += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return sum;
}

function untilDate(value: string, nowMs: number): number | null {
  if (value.length > 60 || !/\d{4}/.test(value) || /^-/.test(value.trim())) return null;
  const at = Date.parse(value);
  return Number.isFinite(at) ? at - nowMs : null;
}

/** Negative numbers and words are nothing of use. */
function decimal(value: string | null): number | null {
  return value !== null && /^\s*\d{1,20}(?:\.\d{1,9})?\s*$/.test(value) ? Number(value) : null;
}
