import { readBody } from '#checkpoints';

/**
 * The step that an effect is of, where that belongs to the visit which the newest link of its project has: what an
 * earlier visit left is nobody's concern any more. Null too where the link cannot be read, and nobody knows.
 */
export function presentStep(key: string, link: { readonly body: Buffer }): string | null {
  const at = readBody(link);
  const prefix = at && `${String(at.incarnation)}/${String(at.visit)}/`;
  return prefix !== null && key.startsWith(prefix) ? key.slice(prefix.length) : null;
}
