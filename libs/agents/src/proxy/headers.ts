import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { harmlessBetas } from './betas.js';

/** What a client may tell a provider; everything else (cookies, forwarding, hop-by-hop, its token) stays here. */
const TO_PROVIDER = new Set(['accept', 'anthropic-version', 'user-agent']);
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
  const betas = harmlessBetas(String(headers['anthropic-beta'] ?? ''));
  return {
    ...authorisation,
    ...picked(headers, (name) => TO_PROVIDER.has(name)),
    ...(betas !== null && { 'anthropic-beta': betas }),
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
