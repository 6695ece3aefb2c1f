import { UserError } from './errors.js';
import type { Json } from './json.js';
import { isWellFormed } from './text.js';

export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const NUL = '\u0000';
/** A path is for a person to read; its keys are the stranger's. */
const LONGEST_PATH = 200;

/**
 * JSON from strangers. Size and depth are measured on the text, before the parser sees it: a text of a few kilobytes can
 * be nested deeper than any recursive reader's stack. Keys that have a meaning in JavaScript, and characters that the
 * database cannot store, are refused rather than cleaned: what was sent is what is kept, or nothing.
 */
export function parseJsonStrict(text: string, limits: JsonLimits): Json {
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxBytes) {
    throw new UserError(
      'JSON_TOO_LARGE',
      `the JSON text has ${String(bytes)} bytes; send at most ${String(limits.maxBytes)}`,
      { bytes, maxBytes: limits.maxBytes },
    );
  }
  if (isDeeperThan(text, limits.maxDepth)) {
    throw new UserError(
      'JSON_TOO_DEEP',
      `the JSON text is nested too deeply; nest objects and arrays at most ${String(limits.maxDepth)} levels`,
      { maxDepth: limits.maxDepth },
    );
  }
  refuseNul(text, 'the JSON text');
  const value = parsed(text);
  refuseHarm(value, '$');
  return value;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      'JSON_MALFORMED',
      `the text is not JSON (${reason}); check it with a JSON validator`,
      {},
      { cause },
    );
  }
}

/** Brackets outside strings, counted; a malformed text may be miscounted, and the parser refuses that one anyway. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}

function refuseHarm(value: Json, path: string): void {
  if (typeof value === 'string') refuseText(value, path);
  else if (typeof value === 'number') refuseEndless(value, path);
  else if (Array.isArray(value)) value.forEach((item: Json, index) => refuseHarm(item, `${path}[${String(index)}]`));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) {
        throw new UserError('JSON_FORBIDDEN_KEY', `the key ${key} at ${path} is not allowed; rename or remove it`, {
          key,
          path,
        });
      }
      refuseText(key, path);
      refuseHarm(member, `${path}.${key}`.slice(0, LONGEST_PATH));
    }
  }
}

/** A text such as 1e999 reads as Infinity, which no JSON can say again. */
function refuseEndless(value: number, path: string): void {
  if (Number.isFinite(value)) return;
  throw new UserError('JSON_MALFORMED', `the number at ${path} is too large to be kept; send a smaller one`);
}

function refuseText(text: string, path: string): void {
  refuseNul(text, `the text at ${path}`);
  if (isWellFormed(text)) return;
  throw new UserError(
    'JSON_MALFORMED',
    `the text at ${path} contains half a character (a lone surrogate); complete or remove it`,
  );
}

function refuseNul(text: string, where: string): void {
  if (!text.includes(NUL)) return;
  throw new UserError('TEXT_HAS_NUL', `${where} contains the character U+0000; remove it`);
}
