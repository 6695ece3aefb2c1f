import type { Redactor } from '#kernel';
import { refuseDearJson } from './json-size.js';
import { type Body, isObject } from './wire.js';

type Holder = Record<string, unknown>;

/**
 * What the provider made, or matches with something of the same request: changed, the conversation would be refused.
 * Everything else that is a text is words of somebody.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['type', 'role', 'model', 'name', 'tool_name', 'media_type'],
  ...['id', 'call_id', 'item_id', 'tool_call_id', 'tool_use_id'],
  ...['signature', 'thought_signature', 'encrypted_content'],
]);
/** Thoughts under a signature count only word by word; a model can have none of what it was never shown. */
const SIGNED: ReadonlySet<unknown> = new Set(['thinking', 'reasoning.text']);
const SEALED: ReadonlySet<unknown> = new Set(['redacted_thinking', 'reasoning.encrypted']);
/** Where a picture, a document or a sound stands in the request itself. */
const MEDIA: ReadonlySet<string> = new Set(['url', 'image_url', 'audio_url', 'video_url', 'file_data']);
/** Where a call holds what its tool was called with: there any name may stand for anything. */
const ARGUMENTS: ReadonlySet<string> = new Set(['input', 'action', 'operation']);
const BASE64_MARK = ';base64,';
const LONGEST_TYPE = 200;

/** Blots secrets out of the words of a request, whatever its protocol; it stays the JSON that it was. Throws Refusal. */
export function redactBody(body: Body, secrets: Redactor): void {
  const redact = (value: unknown, name: string, holder: Holder): unknown => {
    if (name === 'arguments' || (ARGUMENTS.has(name) && isCall(holder))) return redactedInput(value, name, secrets);
    if (typeof value === 'string') return isKept(name, value, holder) ? value : secrets.redact(value);
    if (Array.isArray(value)) return value.map((item: unknown) => redact(item, '', {}));
    if (isObject(value)) redactFields(value);
    return value;
  };
  const redactFields = (holder: Holder): void => {
    for (const [name, value] of Object.entries(holder)) {
      const clean = redact(value, name, holder);
      if (clean !== value) holder[name] = clean;
    }
  };
  redactFields(body);
}

const isCall = ({ type }: Holder): boolean => /(?:tool_use|_call)$/.test(String(type));

function isKept(name: string, text: string, holder: Holder): boolean {
  const { type, signature } = holder;
  if (KEPT.has(name)) return true;
  if (name === 'thinking' || name === 'text') {
    return SIGNED.has(type) && typeof signature === 'string' && signature !== '';
  }
  if (name === 'data') return SEALED.has(type) || ((type === 'base64' || 'format' in holder) && isBase64(text));
  return MEDIA.has(name) && isDataUrl(text);
}

/** What has any other character is no medium, whatever it says of itself. */
const isBase64 = (text: string): boolean => !/[^A-Za-z0-9+/=\s]/.test(text);

function isDataUrl(text: string): boolean {
  const mark = text.startsWith('data:') ? text.slice(0, LONGEST_TYPE).indexOf(BASE64_MARK) : -1;
  return mark >= 0 && isBase64(text.slice(mark + BASE64_MARK.length));
}

/** Of OpenAI's calls the input is JSON that is a text itself, and has to stay JSON. */
function redactedInput(value: unknown, name: string, secrets: Redactor): unknown {
  if (typeof value === 'string' && name === 'arguments') return redactedJsonText(value, secrets);
  return redactedValue(value, secrets);
}

/** The text itself, spaces and all, where nothing was blotted out: a provider knows a prompt again by its bytes. */
function redactedJsonText(text: string, secrets: Redactor): string {
  refuseDearJson(Buffer.from(text));
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    // No JSON that could break.
    return secrets.redact(text);
  }
  const clean = redactedValue(given, secrets);
  return clean === given ? text : JSON.stringify(clean);
}

/** A value with all of its texts redacted, names of fields among them; the value itself where that changes nothing. */
function redactedValue(value: unknown, secrets: Redactor): unknown {
  if (typeof value === 'string') return secrets.redact(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactedValue(item, secrets));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([name, item]) => [secrets.redact(name), redactedValue(item, secrets)] as const);
  const isSame = after.every(([name, item], at) => name === before[at]?.[0] && item === before[at][1]);
  return isSame ? value : Object.fromEntries(after);
}
