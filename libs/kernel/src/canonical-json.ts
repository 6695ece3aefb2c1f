import type { Json, JsonObject } from './json.js';
import { isWellFormed } from './text.js';

/**
 * RFC 8785 (JSON Canonicalization Scheme): one text for one value, whatever order its keys were written in.
 * `undefined` members are left out, as JSON.stringify does; a value JSON cannot carry is refused, and so is half a
 * character (a lone surrogate): see `wellFormed`.
 */
export function canonicalJson(value: Json | undefined): string {
  if (!isInOrder(value)) return written(value);
  const text = JSON.stringify(value);
  return text.includes(SURROGATE) ? written(value) : text;
}

/** How JSON.stringify writes half a character (and, rarely, something harmless that only looks like it). */
const SURROGATE = String.raw`\ud`;

/** Most values are in order already, and JSON.stringify is the fastest way to write them: every write passes here. */
function isInOrder(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let previous = '';
  for (const key of Object.keys(value)) {
    if (key < previous || !isInOrder((value as JsonObject)[key])) return false;
    previous = key;
  }
  return true;
}

function written(value: Json | undefined): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON cannot carry the number ${String(value)}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item: Json) => written(item)).join(',')}]`;
  if (typeof value === 'object') {
    const object = value as { readonly [key: string]: Json | undefined };
    let members = '';
    for (const key of Object.keys(object).sort()) {
      const member = object[key];
      if (member === undefined) continue;
      members += `${members === '' ? '' : ','}${quoted(key)}:${written(member)}`;
    }
    return `{${members}}`;
  }
  throw new TypeError(`JSON cannot carry a value of type ${typeof value}`);
}

function quoted(text: string): string {
  if (!isWellFormed(text)) throw new TypeError('JSON cannot carry a lone surrogate');
  return JSON.stringify(text);
}
