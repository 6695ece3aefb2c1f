import { boundOfBody, type CallBound } from '#models';
import { Refusal, STOP } from './refusal.js';
import { type Body, isObject } from './wire.js';

/** A picture of few bytes may be large; providers scale it down before they count. */
const TOKENS_OF_IMAGE = 8_000;
/** A document may unpack to any length: only the model's context limits it. */
const TOKENS_OF_DOCUMENT = 1_000_000;
const IMAGES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image', 'computer_screenshot']);
const DOCUMENTS: ReadonlySet<unknown> = new Set(['document', 'file', 'input_file', 'input_audio', 'container_upload']);
/** Words as they are. What nobody here knows may be a medium of any length, and counts as one. */
const WORDS: ReadonlySet<unknown> = new Set([
  ...['text', 'thinking', 'redacted_thinking', 'tool_result', 'tool_reference', 'search_result'],
  ...['message', 'agent_message', 'reasoning', 'input_text', 'output_text', 'refusal', 'summary_text'],
  ...['reasoning_text', 'encrypted_content', 'function_call_output', 'custom_tool_call_output'],
  ...['local_shell_call_output', 'apply_patch_call_output', 'tool_search_output', 'additional_tools'],
]);
const LINKS = ['url', 'image_url', 'audio_url', 'video_url', 'file_url', 'file_id'];

/** By which lenient servers know a medium whatever its type, or without one. */
const MEDIA = ['audio_url', 'video_url', 'input_audio', 'image_embeds', 'file'];

/** Where a request holds its content. */
const HOLDERS = ['messages', 'system', 'input', 'content', 'output', 'source', 'image_url', 'file'];
/** Where a call holds what the tool was called with: the agent's own words, not content. */
const ARGUMENTS: ReadonlySet<string> = new Set(['input', 'arguments', 'action', 'operation']);
const isCall = (block: Record<string, unknown>): boolean => /(?:tool_use|_call)$/.test(String(block['type']));
const withoutArguments = (call: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(call).filter(([name]) => !ARGUMENTS.has(name)));

/**
 * The most tokens that a request can have. What the provider would have to fetch is refused: it is not in the request,
 * so nobody could tell its size, and its address would carry words out of the sandbox.
 */
export function boundOfPrompt(body: Body, text: string, outputTokens: number): CallBound {
  let media = 0;
  const open: unknown[] = [body];
  while (open.length > 0) {
    const given = open.pop();
    if (Array.isArray(given)) for (const item of given as unknown[]) open.push(item);
    if (!isObject(given)) continue;
    const value = isCall(given) ? withoutArguments(given) : given;
    media += tokensOfMedium(value);
    if (value !== body && !WORDS.has(value['type'])) refuseLinks(value);
    for (const name of HOLDERS) if (typeof value[name] === 'object') open.push(value[name]);
  }
  const bound = boundOfBody(Buffer.byteLength(text), outputTokens);
  const hasLongCache = text.includes('"ttl":"1h"') || text.includes('"prompt_cache_retention":"24h"');
  return { ...bound, inputTokens: bound.inputTokens + media, ...(hasLongCache && { hasLongCache }) };
}

function tokensOfMedium(block: Record<string, unknown>): number {
  if (IMAGES.has(block['type'])) return TOKENS_OF_IMAGE;
  if (!isCall(block) && isDocument(block)) return TOKENS_OF_DOCUMENT;
  if (MEDIA.some((name) => isThere(block[name]))) return TOKENS_OF_DOCUMENT;
  return isThere(block['image_url']) ? TOKENS_OF_IMAGE : 0;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** What holds a block's data has a type of its own, and is counted with the block. */
const SOURCES: ReadonlySet<unknown> = new Set([undefined, null, 'base64', 'content', 'url']);
const isDocument = ({ type }: Record<string, unknown>): boolean =>
  DOCUMENTS.has(type) || (!WORDS.has(type) && !SOURCES.has(type));

function refuseLinks(block: Record<string, unknown>): void {
  for (const place of [block, ...Object.values(block).filter(isObject)]) {
    for (const name of LINKS) {
      const link = place[name];
      if (typeof link === 'string' && !link.startsWith('data:')) {
        throw new Refusal(STOP, 'PROMPT_UNBOUNDED', 'send pictures and documents themselves, not links to them');
      }
    }
  }
}
