import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** What a client may tell a provider; everything else (cookies, forwarding, hop-by-hop, its token) stays here. */
const TO_PROVIDER = new Set(['accept', 'anthropic-beta', 'anthropic-version', 'openai-beta', 'user-agent']);
const TO_CLIENT = new Set([
  'content-type',
  'cache-control',
  'request-id',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-processing-ms',
]);
const RATE_LIMIT = /^(?:anthropic|x)-ratelimit-/;

export function headersToProvider(
  headers: IncomingHttpHeaders,
  authorisation: Record<string, string>,
): OutgoingHttpHeaders {
  return {
    ...authorisation,
    ...picked(headers, (name) => TO_PROVIDER.has(name)),
    'content-type': 'application/json',
    // What is compressed could not be read on its way.
    'accept-encoding': 'identity',
  };
}

export function headersToClient(headers: IncomingHttpHeaders, secret: string): OutgoingHttpHeaders {
  const kept = picked(headers, (name) => TO_CLIENT.has(name) || RATE_LIMIT.test(name));
  if (secret === '') return kept;
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => !value.includes(secret)));
}

function picked(headers: IncomingHttpHeaders, isWanted: (name: string) => boolean): Record<string, string> {
  const wanted: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && isWanted(name)) wanted[name] = value;
  }
  return wanted;
}

/** The token of whoever calls, by either of the ways that providers know. */
export function tokenOf(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

const DEFAULT_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 7 * 86_400_000;

/** When it is worth trying again, as a provider that asks to wait says it. Epoch milliseconds. */
export function resetTime(headers: IncomingHttpHeaders, now: number): number {
  const said = waitMs(headers, now);
  return now + (said === null ? DEFAULT_WAIT_MS : Math.min(Math.max(said, 0), LONGEST_WAIT_MS));
}

function waitMs(headers: IncomingHttpHeaders, now: number): number | null {
  const ms = headers['retry-after-ms'];
  if (typeof ms === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(ms)) return Number(ms);
  const after = headers['retry-after'] ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : at - now;
}
