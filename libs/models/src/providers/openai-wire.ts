import type { Json } from '#kernel';

/** What OpenAI's two protocols have in common. */

/** The API takes letters, digits, `_` and `-`. */
export function schemaName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 64) || 'output';
}

/** Arguments as they were given; those that were no JSON are a text already. */
export function argumentsText(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}
