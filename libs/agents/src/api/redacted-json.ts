import type { Json, Redactor } from '#kernel';
import { cleanText } from './bounded-text.js';

/** Text by text: a whole JSON text could lose its end to a blot. */
export function redactedJson(value: Json, redactor: Redactor): Json {
  if (typeof value === 'string') return cleanText(value, redactor);
  if (Array.isArray(value)) return value.map((item: Json) => redactedJson(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [cleanText(key, redactor), redactedJson(member, redactor)]),
  );
}
