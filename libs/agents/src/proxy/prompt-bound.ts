import { createHash } from 'node:crypto';
import { boundOfBody, type CallBound } from '#models';
import { mediaIn } from './media.js';
import type { WireName } from './proxy.port.js';
import type { PromptPart } from './prompt-memory.js';
import { type Body, isObject } from './wire.js';

export interface PromptLimits {
  readonly wire: WireName;
  readonly outputTokens: number;
  /** How much the model can hold; null: nobody knows. */
  readonly contextTokens: number | null;
}

export interface BoundPrompt {
  /** The most tokens that the request can have. */
  readonly bound: CallBound;
  /** Tokens that it is not expected to have more of; of documents, what their size tells. */
  readonly likelyTokens: number;
  /** In the order in which a provider caches them. */
  readonly parts: readonly PromptPart[];
}

/** No model holds more. */
const LARGEST_CONTEXT = 1_000_000;
/** What comes before the conversation. */
const HEAD = ['tools', 'functions', 'system', 'instructions'];
/** Where the conversation is. */
const CONVERSATIONS = ['messages', 'input'];

export function boundOfPrompt(body: Body, text: string, limits: PromptLimits): BoundPrompt {
  const { wire, outputTokens, contextTokens } = limits;
  const context = contextTokens ?? LARGEST_CONTEXT;
  const parts: PromptPart[] = [];
  let [dataBytes, limited, isOpen, likely, digest] = [0, 0, false, 0, ''];
  const add = (content: unknown, media: ReturnType<typeof mediaIn>): void => {
    const { bytes, words } = told(content);
    digest = createHash('sha256').update(digest).update(words).digest('base64url');
    parts.push({ digest, tokens: bytes - media.dataBytes + media.likely });
    [dataBytes, limited, likely] = [dataBytes + media.dataBytes, limited + media.limited, likely + media.likely];
    isOpen ||= media.isOpen;
  };
  add(
    HEAD.map((name) => body[name]).filter((held) => held !== undefined),
    mediaIn(body['system'], wire, context),
  );
  for (const held of CONVERSATIONS.map((name) => body[name])) {
    for (const item of Array.isArray(held) ? (held as unknown[]) : isObject(held) ? [held] : []) {
      add(item, mediaIn(item, wire, context));
    }
  }
  const { inputTokens: words } = boundOfBody(Buffer.byteLength(text) - dataBytes, outputTokens);
  // All documents together are no longer than what the model can hold: a longer prompt is refused, and costs nothing.
  const inputTokens = words + limited + (isOpen ? context : 0);
  const hasLongCache = text.includes('"ttl":"1h"') || text.includes('"prompt_cache_retention":"24h"');
  return {
    bound: { inputTokens, outputTokens, ...(hasLongCache && { hasLongCache }) },
    likelyTokens: words + likely,
    parts,
  };
}

/** A part without the marks for the cache, which wander from call to call, and with its text in one form of the two. */
function told(content: unknown): { bytes: number; words: string } {
  const unmarked = (value: unknown): string =>
    JSON.stringify(value, (name, held: unknown) => (name === 'cache_control' ? undefined : held));
  const given = unmarked(content);
  const text = isObject(content) ? content['content'] : null;
  const isPlain = isObject(content) && typeof text === 'string';
  const words = isPlain ? unmarked({ ...content, content: [{ type: 'text', text }] }) : given;
  return { bytes: Buffer.byteLength(given), words };
}
