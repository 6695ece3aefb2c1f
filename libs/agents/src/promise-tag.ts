/**
 * Promise tags, by which an agent's last message claims something: `<promise>COMPLETE</promise>` on a line of its own.
 * A claim must be meant: a tag that is quoted, that is echoed from the prompt, or whose sentence takes it back counts
 * for nothing, and a message that makes two different claims makes none.
 */

/** The tag as it has to be written. */
export const promiseTag = (promise: string): string => `<promise>${promise}</promise>`;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BLOCK_QUOTE = /^ {0,3}>/;
/** Four spaces or a tab make a code block. */
const INDENTED = /^(?: {4}| {0,3}\t)/;
const TAKES_BACK =
  /\b(?:not|never|nor|neither|cannot|without|unless|until|if|when|once|whether|before|instead|would|should|must)\b|n['’]t\b|\bno\s*$/i;
/** How a line begins that goes on about the tag before it: in the same sentence, or in one about it. */
const SAME_SENTENCE = /^[\p{Ll},;–—(-]/u;
const ABOUT_IT =
  /^(?:not|never|no|nor|neither|cannot|is|isn['’]t|was|wasn['’]t|would|should|unless|until|if|when|once|but|only|except|this|that|which|it)\b/i;
const ENDS_SENTENCE = /[.!?…)\]*_"”]\s*$/;

/** The one of `promises` that the message makes; null where it makes none, or two that differ. */
export function promiseIn(message: string, promises: readonly string[], prompt = ''): string | null {
  const byTag = new Map(promises.map((promise) => [promiseTag(promise), promise]));
  const lines = message.split(/\r\n|\r|\n/);
  const echoes = pairsOf(prompt);
  const made = new Set<string>();
  for (const [at, kind] of kindsOf(lines).entries()) {
    const line = lines[at] ?? '';
    const promise = byTag.get(line.trim());
    if (promise === undefined || kind === 'quoted') continue;
    if (isTakenBack(lines, at) || echoes.has(pairAt(lines, at))) continue;
    made.add(promise);
  }
  const [only, ...others] = made;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Which lines are the agent's own words, and which are quoted: fences, block quotes, code, comments. */
function kindsOf(lines: readonly string[]): ('own' | 'quoted')[] {
  const kinds: ('own' | 'quoted')[] = [];
  let fence: string | null = null;
  let isComment = false;
  let isQuote = false;
  let ticks = 0;
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      kinds.push('quoted');
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== null) {
      fence = mark;
      ticks = 0;
      kinds.push('quoted');
      continue;
    }
    if (line.trim() === '') {
      isQuote = false;
      ticks = 0;
    }
    // A paragraph that begins in a quote stays in it up to the next empty line.
    isQuote ||= BLOCK_QUOTE.test(line);
    const wasComment = isComment;
    isComment = isCommentAfter(line, isComment);
    kinds.push(isQuote || wasComment || isComment || ticks % 2 === 1 || INDENTED.test(line) ? 'quoted' : 'own');
    ticks += (line.match(/`+/g) ?? []).length;
  }
  return kinds;
}

function isCommentAfter(line: string, isComment: boolean): boolean {
  const opened = line.lastIndexOf('<!--');
  const closed = line.lastIndexOf('-->');
  return opened > closed ? true : closed >= 0 ? false : isComment;
}

/** The sentence around a tag may deny it: "I cannot say", line break, tag; or tag, line break, "Not yet." */
function isTakenBack(lines: readonly string[], at: number): boolean {
  const before = lineBefore(lines, at);
  const after = lineAfter(lines, at);
  const leadsIn = before !== '' && !ENDS_SENTENCE.test(before) && TAKES_BACK.test(before);
  const goesOn = (SAME_SENTENCE.test(after) || ABOUT_IT.test(after)) && TAKES_BACK.test(after);
  return leadsIn || goesOn;
}

/** A tag's line together with the line before it, as the prompt has it too: then the message repeats the prompt. */
function pairsOf(prompt: string): ReadonlySet<string> {
  const lines = prompt.split(/\r\n|\r|\n/);
  return new Set(lines.flatMap((line, at) => (line.includes('<promise>') ? [pairAt(lines, at)] : [])));
}

function pairAt(lines: readonly string[], at: number): string {
  const before = lineBefore(lines, at);
  // A tag that nothing precedes is what an agent is asked to answer with: no echo.
  return before === '' ? `alone at ${String(at)} of ${String(lines.length)}` : `${before}\n${lines[at]?.trim() ?? ''}`;
}

/** The last line before that is not empty. */
const lineBefore = (lines: readonly string[], at: number): string => wordsFrom(lines, at - 1, -1);

/** The next line after that is not empty. */
const lineAfter = (lines: readonly string[], at: number): string => wordsFrom(lines, at + 1, 1);

function wordsFrom(lines: readonly string[], from: number, step: 1 | -1): string {
  for (let at = from; at >= 0 && at < lines.length; at += step) {
    const line = lines[at]?.trim() ?? '';
    if (line !== '') return line;
  }
  return '';
}
