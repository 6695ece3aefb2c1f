import type { Command } from '#engine';
import { type ControlEntry, countLines, entriesOf } from './read-control.js';

/** An entry that was taken or refused, and whose line is to become `mark`: nobody knows yet whether it has. */
export interface TakenEntry {
  readonly command: Command;
  readonly word: string;
  readonly mark: string;
}

export interface Reconciled {
  /** Taken before, and still without their marks. */
  readonly unmarked: readonly (ControlEntry & TakenEntry)[];
  /** Never seen before. */
  readonly fresh: readonly ControlEntry[];
}

/**
 * Tells what is new in the file from what was taken and could not be marked: by a worker that died in between, or since
 * the file takes no writes. One whose mark is there is done with; one whose line is gone was taken back too late.
 */
export function reconciled(text: string, taken: readonly TakenEntry[]): Reconciled {
  const marks = new Map(countLines(text));
  const open = taken.filter(({ mark }) => {
    const left = marks.get(mark) ?? 0;
    marks.set(mark, left - 1);
    return left <= 0;
  });
  const entries = entriesOf(text);
  const pairs = paired(entries, open);
  return {
    unmarked: entries.flatMap((entry) => {
      const known = pairs.get(entry.line);
      return known ? [{ ...known, ...entry }] : [];
    }),
    fresh: entries.filter(({ line }) => !pairs.has(line)),
  };
}

/** The longest run of lines, in order, that are those that were taken: whatever is written between them is new. */
function paired(entries: readonly ControlEntry[], taken: readonly TakenEntry[]): ReadonlyMap<number, TakenEntry> {
  const lengths = entries.map(() => taken.map(() => 0));
  const at = (entry: number, known: number): number => lengths[entry]?.[known] ?? 0;
  const isSame = (entry: number, known: number): boolean => entries[entry]?.word === taken[known]?.word;
  for (let entry = entries.length - 1; entry >= 0; entry -= 1) {
    for (let known = taken.length - 1; known >= 0; known -= 1) {
      const row = lengths[entry] ?? [];
      row[known] = isSame(entry, known)
        ? at(entry + 1, known + 1) + 1
        : Math.max(at(entry + 1, known), at(entry, known + 1));
    }
  }
  const pairs = new Map<number, TakenEntry>();
  for (let [entry, known] = [0, 0]; entry < entries.length && known < taken.length;) {
    const [written, one] = [entries[entry], taken[known]];
    if (written && one && written.word === one.word) {
      pairs.set(written.line, one);
      entry += 1;
      known += 1;
    } else if (at(entry + 1, known) >= at(entry, known + 1)) entry += 1;
    else known += 1;
  }
  return pairs;
}
