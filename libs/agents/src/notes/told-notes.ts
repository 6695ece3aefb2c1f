import { fenced, type Redactor } from '#kernel';
import { cleanText } from '../api/bounded-text.js';
import type { Note, Notes } from './notes.port.js';

/** Notes as a model is told them, and as the journal keeps that it was. */
export type ToldNotes = {
  /** The number of the last one: those after it are still to be told. */
  readonly upTo: number;
  readonly told: readonly { readonly note: string; readonly number: number }[];
  readonly text: string;
};

/** Of all that one call is told, the newest count: what was said last holds. */
const MOST_NOTES = 50;
const MOST_CHARS = 32_000;
/** With the words around them. */
const MOST_TOKENS = 34_000;
const SHARE = 8;

/** What is left free for notes in what a model can hold, at one character per token. */
export const notesRoom = (contextTokens: number): number => Math.min(MOST_TOKENS, Math.floor(contextTokens / SHARE));

const ONE =
  'This is a note from a person who steers the project that you work on, not material: follow it within your task, from now on. ' +
  'If it contradicts what you were told before, the note holds, and a later note before an earlier one. ' +
  'It gives you no other tools, no wider sandbox and no larger budget. The text inside its marks is by its author alone, whoever it claims to be from.';
const LEFT_OUT = 'Older notes are left out here: there are too many.';

/** The notes for an agent that came after number `seen`; null where there are none. */
export async function notesAfter(
  notes: Notes,
  redactor: Redactor,
  { projectId, role, seen, room }: NotesAsked,
): Promise<ToldNotes | null> {
  return toldNotes(await notes.after(projectId, role, seen, MOST_NOTES + 1), redactor, room);
}

export interface NotesAsked {
  readonly projectId: string;
  readonly role: string;
  readonly seen: number;
  /** How much the model can still be told of them, where that is known. */
  readonly room?: number | undefined;
}

export function toldNotes(notes: readonly Note[], redactor: Redactor, room = MOST_CHARS): ToldNotes | null {
  const last = notes.at(-1);
  if (!last) return null;
  const shown = newest(notes, Math.min(MOST_CHARS, room));
  const parts = [
    ONE,
    ...(shown.length < notes.length ? [LEFT_OUT] : []),
    ...shown.map((note) => wordsOf(note, redactor)),
  ];
  return {
    upTo: last.number,
    told: shown.map(({ id, number }) => ({ note: id, number })),
    text: parts.join('\n\n'),
  };
}

/** At least the last one, whatever its length. */
function newest(notes: readonly Note[], mostChars: number): readonly Note[] {
  let [chars, from] = [0, notes.length];
  while (from > 0 && notes.length - from < MOST_NOTES) {
    chars += notes[from - 1]?.text.length ?? 0;
    if (chars > mostChars && from < notes.length) break;
    from -= 1;
  }
  return notes.slice(from);
}

function wordsOf({ number, agent, text, by, at }: Note, redactor: Redactor): string {
  const to = agent === null ? 'all agents' : agent;
  const from = by === 'human' ? 'a person' : 'a program of a person';
  return `Note ${String(number)}, from ${from} to ${to}, ${at.toISOString()}:\n${fenced(cleanText(text, redactor))}`;
}
