import { contentWords } from '../words.js';
import type { RawFinding } from './raw-finding.js';

/** Of a body, what tells which point is meant. */
const OPENING = 400;
/** What code calls things by: `findUser`, `user_id`, `login(`. */
const NAME = /\p{Ll}+\p{Lu}[\p{L}\p{N}]*|[\p{L}\p{N}]+_\w+|[\p{L}\p{N}_]+(?=\()/gu;
const PARTS_OF_A_PATH = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u;
/** Words of any finding about any code. */
const OF_ANY_FINDING = contentWords(
  'add all allow also always any argument because before call called caller case change check class client code ' +
    'component current currently each ensure every example file fix function get given handler instead just keep line ' +
    'make method module need never new now object param parameter pass put request req res response result return see ' +
    'server set still take use used user using value variable way',
);

/**
 * The words of a finding that say what is wrong. Two findings about the same lines share the names of what stands
 * there, whatever each of them has against it: those say nothing.
 */
export function gistOf({ title, body, file }: RawFinding): ReadonlySet<string> {
  const text = `${title}\n${body.slice(0, OPENING)}`;
  const names = contentWords([...(text.match(NAME) ?? []), ...(file?.split(PARTS_OF_A_PATH) ?? [])].join(' '));
  return new Set([...contentWords(text)].filter((word) => !names.has(word) && !OF_ANY_FINDING.has(word)));
}
