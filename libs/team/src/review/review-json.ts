import { member } from '../findings/raw-finding.js';

export interface ReviewShape {
  readonly summary: unknown;
  readonly findings: readonly unknown[];
}

/** Where an object or an array of objects may begin. */
const START = /[{[]\s*["{]/g;
/** How often each character is looked at, at most: braces that never close must not cost a square. */
const MOST_PASSES = 8;

/** A review as an object: `{ summary, findings }`, or the findings alone. */
export function shapeOf(value: unknown): ReviewShape | null {
  const findings = member(value, 'findings');
  if (Array.isArray(findings)) return { summary: member(value, 'summary'), findings };
  const isList = Array.isArray(value) && value.some((entry) => member(entry, 'priority') !== undefined);
  return isList ? { summary: undefined, findings: value } : null;
}

/** The last review within a text, as JSON, in a fence or not: what stands before it may be an example of the prompt's. */
export function reviewJson(text: string): ReviewShape | null {
  let last: ReviewShape | null = null;
  let budget = MOST_PASSES * text.length;
  START.lastIndex = 0;
  for (let start = START.exec(text); start && budget > 0; start = START.exec(text)) {
    const end = endOf(text, start.index);
    budget -= (end ?? text.length) - start.index;
    const shape = end === null ? null : shapeOf(parsed(text.slice(start.index, end)));
    last = shape ?? last;
    START.lastIndex = shape && end !== null ? end : start.index + 1;
  }
  return last;
}

/** After the bracket that closes the one at `start`. */
function endOf(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
