import { type Body, isObject } from './wire.js';

/** A text and more of it. */
export const joined = (text: unknown, more: string): string =>
  typeof text === 'string' && text !== '' ? `${text}\n\n${more}` : more;

/** A text, or a list of blocks, and one more. Anything else is left for its provider to refuse. */
export function withBlock(content: unknown, text: string): unknown {
  if (content === undefined || content === null || typeof content === 'string') return joined(content, text);
  return Array.isArray(content) ? [...(content as unknown[]), { type: 'text', text }] : content;
}

const INSTRUCTS: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** Some servers take one message of the system only, and only as the first: it is that one which says more. */
export function instructCompletion(body: Body, text: string): void {
  const { messages } = body;
  if (!Array.isArray(messages)) return;
  const [first, ...rest] = messages as unknown[];
  body['messages'] =
    isObject(first) && INSTRUCTS.has(first['role'])
      ? [{ ...first, content: withBlock(first['content'], text) }, ...rest]
      : [{ role: 'system', content: text }, ...(messages as unknown[])];
}
