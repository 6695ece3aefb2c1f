import { isDenied } from './promise-tag-denials.js';
import { ownLines } from './promise-tag-quotes.js';

/**
 * Promise tags, by which an agent's last message claims something: `<promise>COMPLETE</promise>` on a line of its own.
 * A claim must be meant: a tag that is quoted, that is echoed from what the agent was told, or that the sentence next
 * before it or anything after it takes back counts for nothing, and a message that makes two different claims makes
 * none. A list or a summary may follow. Where it is in doubt, no claim was made: the agent is asked to go on.
 */

/** The tag as it has to be written. */
export const promiseTag = (promise: string): string => `<promise>${promise}</promise>`;

/** A message that has more is none that was meant. */
const MOST_TAGS = 16;

/** The one of `promises` that the message makes; null where it makes none, or two that differ. `told`: its prompts. */
export function promiseIn(message: string, promises: readonly string[], told: readonly string[] = []): string | null {
  const byTag = new Map(promises.map((promise) => [promiseTag(promise), promise]));
  const lines = message.split(/\r\n|\r|\n/);
  const isOwn = ownLines(lines);
  const own = lines.map((line, at) => (isOwn[at] === true ? line : ''));
  const tags = own.flatMap((line, at) => (byTag.has(line.trim()) ? [at] : []));
  if (tags.length > MOST_TAGS) return null;
  const echoes = new Set(told.flatMap(pairsOf));
  const meant = tags.filter((at) => !isDenied(own, at) && !echoes.has(pairAt(lines, at)));
  const [only, ...others] = new Set(meant.map((at) => byTag.get(own[at]?.trim() ?? '')));
  return only !== undefined && others.length === 0 ? only : null;
}

/** Each tag's line together with the line before it: a message that has the same pair repeats what it was told. */
function pairsOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.flatMap((line, at) => (line.includes('<promise>') ? [pairAt(lines, at)] : []));
}

function pairAt(lines: readonly string[], at: number): string {
  let before = at - 1;
  while (before >= 0 && lines[before]?.trim() === '') before -= 1;
  // A tag that nothing precedes is what an agent is asked to answer with: no echo.
  if (before < 0) return `alone at ${String(at)} of ${String(lines.length)}`;
  return `${lines[before]?.trim() ?? ''}\n${lines[at]?.trim() ?? ''}`;
}
