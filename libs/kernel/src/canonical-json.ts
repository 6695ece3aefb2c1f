import type { Json } from './json.js';
import { isWellFormed } from './text.js';

/**
 * RFC 8785 (JSON Canonicalization Scheme): one text for one value, whatever order its keys were written in.
 * `undefined` members are left out, as JSON.stringify does; a value JSON cannot carry is refused, and so is half a
 * character (a lone surrogate): see `wellFormed`.
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON cannot carry the number ${String(value)}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  if (typeof value === 'object') {
    const object = value as { readonly [key: string]: Json | undefined };
    let members = '';
    for (const key of sortedKeys(object)) {
      const member = object[key];
      if (member === undefined) continue;
      members += `${members === '' ? '' : ','}${quoted(key)}:${canonicalJson(member)}`;
    }
    return `{${members}}`;
  }
  throw new TypeError(`JSON cannot carry a value of type ${typeof value}`);
}

/** Most objects are written in order already, and seeing that is cheaper than sorting them: every write passes here. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let nth = 1; nth < keys.length; nth += 1) if ((keys[nth - 1] ?? '') > (keys[nth] ?? '')) return keys.sort();
  return keys;
}

/** Printable ASCII without quotation mark and backslash: as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw new TypeError('JSON cannot carry a lone surrogate');
  return JSON.stringify(text);
}
