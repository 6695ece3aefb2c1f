import type { PatchLine } from '#kernel';

/**
 * How a language keeps several lines from being run: a comment with a beginning and an end, or, in Python, a text over
 * several lines, whose end looks like its beginning.
 */
export interface Spans {
  readonly beginnings: readonly string[];
  /** Quoted text, the rest of a line that is a comment, or a beginning, which is the first group. */
  readonly token: RegExp;
  readonly restOfLine: string;
  /** What ends the span that begins like this. */
  readonly endOf: (beginning: string) => string;
  /** A line by which a span ends that began before the hunk; null where ends look like beginnings. */
  readonly strayEnd: RegExp | null;
}

/** In globs such as `src/*` and in expressions no comment begins. */
export const BLOCK_COMMENTS: Spans = {
  beginnings: ['/*'],
  token: /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/|(?<![\w*.\\/'"`@$%~-])(\/\*)/g,
  restOfLine: '//',
  endOf: () => '*/',
  strayEnd: /^\s*\*(?:.*\*)?\//,
};

export const LONG_TEXTS: Spans = {
  beginnings: ['"""', "'''"],
  token: /\\.|("""|''')|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#/g,
  restOfLine: '#',
  endOf: (beginning) => beginning,
  strayEnd: null,
};

/** What would end the span that a place lies in; null outside of all. */
type Place = string | null;

export interface Swallowed {
  /**
   * The hunk as a runner sees it: what lies in a span now and did not before is gone, and what was written into one has
   * never come. What lies in a span before and after is left as it is.
   */
  readonly hunk: readonly PatchLine[];
  /** The line with which a span begins or goes on that ends somewhere behind the hunk, and did not before. */
  readonly open: string | null;
}

export function withoutSwallowed(hunk: readonly PatchLine[], spans: Spans): Swallowed {
  const kept: PatchLine[] = [];
  const start = placeBefore(hunk, spans);
  let [before, now] = [start, start];
  let cause: PatchLine | null = null;
  // Where ends look like beginnings nobody knows where the hunk begins: what was added is taken for a beginning.
  const isSwallowed = (): boolean =>
    cause !== null && (now !== null || (spans.strayEnd === null && cause.kind === '+'));
  for (const line of hunk) {
    if (!isSwallowed() || line.kind === '-') kept.push(line);
    else if (line.kind === ' ') kept.push({ kind: '-', text: line.text });
    if (line.kind !== '+') before = placeAfter(line.text, before, spans);
    if (line.kind !== '-') now = placeAfter(line.text, now, spans);
    if ((before === null) === (now === null)) cause = null;
    else cause ??= line;
  }
  return { hunk: kept, open: isSwallowed() ? (cause?.text.trim() ?? null) : null };
}

/** Where the first thing that is met is an end, the hunk begins within a span. */
function placeBefore(hunk: readonly PatchLine[], spans: Spans): Place {
  const { strayEnd } = spans;
  if (strayEnd === null) return null;
  for (const { text } of hunk) {
    if (strayEnd.test(text)) return spans.endOf('');
    if (placeAfter(text, null, spans) !== null) return null;
  }
  return null;
}

function placeAfter(text: string, place: Place, { beginnings, token, restOfLine, endOf }: Spans): Place {
  if (place === null && !beginnings.some((beginning) => text.includes(beginning))) return null;
  let [end, at] = [place, 0];
  for (;;) {
    if (end !== null) {
      const found = text.indexOf(end, at);
      if (found < 0) return end;
      at = found + end.length;
      end = null;
    }
    token.lastIndex = at;
    let found = token.exec(text);
    while (found !== null && found[1] === undefined && found[0] !== restOfLine) found = token.exec(text);
    if (found?.[1] === undefined) return null;
    at = token.lastIndex;
    end = endOf(found[1]);
  }
}
