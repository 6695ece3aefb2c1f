import type { WireName } from './proxy.port.js';
import { Refusal, STOP } from './refusal.js';
import { isObject } from './wire.js';

type Block = Record<string, unknown>;

/** What bytes say little about. */
export interface Media {
  /** Bytes of the request that are pictures and documents, not words. */
  readonly dataBytes: number;
  /** The most tokens of all that has a limit of its own. */
  readonly limited: number;
  /** Something is there that only the model's context limits. */
  readonly isOpen: boolean;
  /** Tokens of all of it, as far as its size tells. */
  readonly likely: number;
}

/**
 * A picture of few bytes may be large; providers scale it down before they count. Anthropic has 4,784 tokens for the
 * largest. OpenAI's dearest models and other servers are assumed to stay below the figure here: nobody says.
 */
const tokensOfImage = (wire: WireName): number => (wire === 'anthropic' ? 8_000 : 50_000);
/** A page of a document is its words, 3,000 tokens by the providers' account, and a picture of it. */
const TOKENS_OF_PAGE = 8_000;
/** A document counts like plain text of its length: packed words are more, pictures less. */
const BYTES_OF_TOKEN = 4;

const IMAGES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image', 'computer_screenshot']);
const DOCUMENTS: ReadonlySet<unknown> = new Set(['document', 'file', 'input_file', 'input_audio', 'container_upload']);
/** Words as they are. What nobody here knows may be a medium of any length, and counts as one. */
const WORDS: ReadonlySet<unknown> = new Set([
  ...['text', 'thinking', 'redacted_thinking', 'tool_result', 'tool_reference', 'search_result'],
  ...['message', 'agent_message', 'reasoning', 'input_text', 'output_text', 'refusal', 'summary_text'],
  ...['reasoning_text', 'encrypted_content', 'function_call_output', 'custom_tool_call_output'],
  ...['local_shell_call_output', 'apply_patch_call_output', 'tool_search_output', 'additional_tools'],
]);
/** What holds a block's data has a type of its own, and is counted with the block. */
const SOURCES: ReadonlySet<unknown> = new Set([undefined, null, 'base64', 'content', 'url']);
const LINKS = ['url', 'image_url', 'audio_url', 'video_url', 'file_url', 'file_id'];
/** By which lenient servers know a medium whatever its type, or without one. */
const MEDIA = ['audio_url', 'video_url', 'input_audio', 'image_embeds', 'file'];
/** Where a request holds its content. */
const HOLDERS = ['messages', 'system', 'input', 'content', 'output', 'source', 'image_url', 'file'];
/** Where a call holds what the tool was called with: the agent's own words, not content. */
const ARGUMENTS: ReadonlySet<string> = new Set(['input', 'arguments', 'action', 'operation']);
const isCall = (block: Block): boolean => /(?:tool_use|_call)$/.test(String(block['type']));
const withoutArguments = (call: Block): Block =>
  Object.fromEntries(Object.entries(call).filter(([name]) => !ARGUMENTS.has(name)));

/**
 * The pictures and documents of a prompt, or of a part of it. What the provider would have to fetch is refused: it is
 * not in the request, so nobody could tell its size, and its address would carry words out of the sandbox.
 */
export function mediaIn(content: unknown, wire: WireName, contextTokens: number): Media {
  let [dataBytes, limited, isOpen, likely] = [0, 0, false, 0];
  const open: unknown[] = [content];
  while (open.length > 0) {
    const given = open.pop();
    if (Array.isArray(given)) for (const item of given as unknown[]) open.push(item);
    if (!isObject(given)) continue;
    const block = isCall(given) ? withoutArguments(given) : given;
    if (!WORDS.has(block['type'])) refuseLinks(block);
    const kind = kindOf(block);
    const bytes = IMAGES.has(block['type']) || DOCUMENTS.has(block['type']) ? inlineBytes(block, wire) : 0;
    const tokens = {
      words: 0,
      image: tokensOfImage(wire),
      document: TOKENS_OF_PAGE + Math.ceil(bytes / BYTES_OF_TOKEN),
      unknown: contextTokens,
    }[kind];
    dataBytes += bytes;
    likely += tokens;
    if (kind === 'document' || kind === 'unknown') isOpen = true;
    else limited += tokens;
    for (const name of HOLDERS) if (typeof block[name] === 'object') open.push(block[name]);
  }
  return { dataBytes, limited, isOpen, likely };
}

function kindOf(block: Block): 'image' | 'document' | 'unknown' | 'words' {
  const { type } = block;
  if (IMAGES.has(type)) return 'image';
  if (DOCUMENTS.has(type)) return 'document';
  if (!isCall(block) && !WORDS.has(type) && !SOURCES.has(type)) return 'unknown';
  if (MEDIA.some((name) => isThere(block[name]))) return 'unknown';
  return isThere(block['image_url']) ? 'image' : 'words';
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** The bytes of the request that are the medium itself, where the wire has it. Anything else there counts as words. */
function inlineBytes(block: Block, wire: WireName): number {
  const within = (name: string): Block => (isObject(block[name]) ? block[name] : {});
  if (wire === 'anthropic') return within('source')['type'] === 'base64' ? base64Bytes(within('source')['data']) : 0;
  const places = [block['image_url'], within('image_url')['url'], block['file_data'], within('file')['file_data']];
  return base64Bytes([...places, within('input_audio')['data']].find((place) => typeof place === 'string'));
}

const DATA_URL = /^data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function base64Bytes(data: unknown): number {
  if (typeof data !== 'string') return 0;
  const from = DATA_URL.exec(data)?.[0].length ?? 0;
  const rest = data.slice(from);
  return BASE64.test(rest) ? rest.length : 0;
}

function refuseLinks(block: Block): void {
  for (const place of [block, ...Object.values(block).filter(isObject)]) {
    for (const name of LINKS) {
      const link = place[name];
      if (typeof link === 'string' && !link.startsWith('data:')) {
        throw new Refusal(STOP, 'PROMPT_UNBOUNDED', 'send pictures and documents themselves, not links to them');
      }
    }
  }
}
