import { type Json, redactedTexts, type Redactor } from '#kernel';

/** A text without secrets. One in JSON stays JSON: blotting out its text might take brackets along. */
export function redactArtefact(name: string, text: string, redactor: Redactor): string {
  const clean = redactor.redact(text);
  if (clean === text || !name.endsWith('.json')) return clean;
  try {
    const redacted = redactedTexts(JSON.parse(text) as Json, (one) => redactor.redact(one));
    return `${JSON.stringify(redacted, null, 2)}\n`;
  } catch {
    return clean;
  }
}
