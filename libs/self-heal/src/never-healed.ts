import { plainLines } from '#kernel';
import { asksForDataLoss, dataLoss } from './never/data-loss.js';
import { changedFiles } from './never/diff-files.js';
import { isRefusal } from './never/permission.js';
import { secretChange } from './never/secret-change.js';
import { normaliseError } from './normalise-error.js';
import { oneLine } from './one-line.js';

export interface HealFacts {
  /** What the failing command printed. */
  readonly output: string;
  /** What an attempt changed, as git shows it. */
  readonly diff?: string;
  /** What the same command printed before the first change: what was there already is not what is wrong now. */
  readonly before?: string;
}

const MOST_READ = 64 * 1024;
const LONGEST_LINE = 1_000;
const LONGEST_REASON = 300;

/**
 * Why a person has to look, whatever a model could do about it; null where nothing speaks against healing. A guard
 * against doing harm in good faith, not against malice. In doubt it asks: being asked costs less than lost data.
 */
export function neverHealed({ output, diff, before = '' }: HealFacts): string | null {
  const known = new Set(linesOf(before).map((line) => normaliseError(line)));
  const isNew = (line: string): boolean => !known.has(normaliseError(line));
  const lines = linesOf(output);
  const refused = lines.find((line) => isRefusal(line) && isNew(line));
  if (refused !== undefined) return `the environment refuses it: ${oneLine(refused, LONGEST_REASON)}`;
  const asking = lines.find((line) => asksForDataLoss(line) && isNew(line));
  if (asking !== undefined) return `it asks for consent to lose data: ${oneLine(asking, LONGEST_REASON)}`;
  for (const file of changedFiles(diff ?? '')) {
    const reason = secretChange(file) ?? dataLoss(file);
    if (reason !== null) return oneLine(reason, LONGEST_REASON);
  }
  return null;
}

const linesOf = (output: string): string[] =>
  plainLines(output, MOST_READ)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_LINE);
