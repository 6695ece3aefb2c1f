import { plainLines } from '#kernel';

export interface FailureOutput {
  readonly name: string;
  readonly output: string;
}

const MOST_READ = 512 * 1024;
const MOST_LINES = 60;
const MOST_TITLES = 5;

/**
 * The lines of an output about each failure: from each line with its title up to the next line with the title of
 * another failure. Empty for a failure that the output does not name.
 */
export function splitByFailure(output: string, names: readonly string[]): readonly FailureOutput[] {
  const lines = plainLines(output, MOST_READ);
  const titles = names.map(titleOf);
  const owners = lines.map((line) => findOwner(line, titles));
  return names.map((name, nth) => {
    const starts = owners.flatMap((owner, at) => (owner === nth ? [at] : [])).slice(-MOST_TITLES);
    const parts = starts.map((start) => {
      const next = owners.findIndex((owner, at) => at > start && owner !== null);
      return lines.slice(start, Math.min(next < 0 ? lines.length : next, start + MOST_LINES));
    });
    return { name, output: parts.flat().slice(-MOST_LINES).join('\n') };
  });
}

/** The last part of a failure's name, without its file, package and suites. */
export function titleOf(name: string): string {
  const unittest = /^(\w{1,200}) \([\w.]{1,300}\)/.exec(name)?.[1];
  return unittest ?? name.split(/: | > | › |(?<=\.py)::/).at(-1) ?? '';
}

/** The failure with the longest title in the line, as a whole word. */
function findOwner(line: string, titles: readonly string[]): number | null {
  let owner: number | null = null;
  for (const [nth, title] of titles.entries()) {
    const isLonger = owner === null || title.length > (titles[owner] ?? '').length;
    if (title !== '' && isLonger && hasWhole(line, title)) owner = nth;
  }
  return owner;
}

function hasWhole(line: string, title: string): boolean {
  const at = line.indexOf(title);
  if (at < 0) return false;
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  return !isWord(line[at - 1]) && !isWord(line[at + title.length]);
}
