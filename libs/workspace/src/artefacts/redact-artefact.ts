import type { Json, Redactor } from '#kernel';

/** A text without secrets. One in JSON stays JSON: blotting out its text might take brackets along. */
export function redactArtefact(name: string, text: string, redactor: Redactor): string {
  const clean = redactor.redact(text);
  if (clean === text || !name.endsWith('.json')) return clean;
  try {
    return `${JSON.stringify(walk(JSON.parse(text) as Json, redactor), null, 2)}\n`;
  } catch {
    return clean;
  }
}

function walk(value: Json, redactor: Redactor): Json {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item: Json) => walk(item, redactor));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactor.redact(key), walk(item, redactor)]));
}
