import { type Command, COMMANDS } from '#engine';

/** A line of CONTROL.md that is a command word and nothing else. */
export interface ControlEntry {
  /** From 0. */
  readonly line: number;
  /** As it is written. */
  readonly word: string;
  readonly command: Command;
}

/** With their ends, so that a file is put together again as it was. */
const LINES = /[^\r\n]*(?:\r\n|\n|\r|$)/g;
const END = /[\r\n]*$/;

const linesOf = (text: string): string[] => text.match(LINES)?.filter((line) => line !== '') ?? [];

/**
 * A command is a line that is exactly the word: not a mention of it in a sentence, not an item of a list. One in other
 * letters than capitals is found too, so that whoever wrote it can be told why nothing happens.
 */
export function entriesOf(text: string): readonly ControlEntry[] {
  return linesOf(text).flatMap((content, line) => {
    const word = content.trim();
    const command = COMMANDS.find((one) => one === word.toUpperCase());
    return command ? [{ line, word, command }] : [];
  });
}

export const isExact = ({ word, command }: Pick<ControlEntry, 'word' | 'command'>): boolean => word === command;

/** The text with these lines replaced; what ends them stays. */
export function withMarks(text: string, marks: ReadonlyMap<number, string>): string {
  return linesOf(text)
    .map((content, line) => {
      const mark = marks.get(line);
      return mark === undefined ? content : mark + (END.exec(content)?.[0] ?? '');
    })
    .join('');
}

/** How often each line is in the text. */
export function countLines(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const content of linesOf(text)) {
    const line = content.replace(END, '');
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
