import { canonicalJson } from './canonical-json.js';
import type { Json } from './json.js';

/**
 * Canonical JSON of whatever an agent, a model or a command said. Half a surrogate pair (a text cut in the middle of
 * an emoji) is no valid Unicode and would poison every later write: it becomes U+FFFD.
 */
export function storableJson(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(mended(value));
  }
}

function mended(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (Array.isArray(value)) return value.map((item: Json) => mended(item));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([key, member]) => [key.toWellFormed(), mended(member)]));
  }
  return value;
}
