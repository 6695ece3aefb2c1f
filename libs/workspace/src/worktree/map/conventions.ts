import { cleanLine, cleanLines, cutText } from './plain-text.js';

const CONVENTION = /^(?:\.github\/)?(AGENTS|CLAUDE|CONTRIBUTING)\.md$/i;
const ORDER = ['agents', 'claude', 'contributing'];
const MOST = 8_000;
const LONGEST_LINE = 1_000;

export const isConvention = (path: string): boolean => CONVENTION.test(path);

/** The texts of a repository's rules for contributors. If they are too long, short ones stay whole. */
export function renderConventions(texts: ReadonlyMap<string, string>): string {
  const paths = [...texts.keys()].sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
  const seen = new Set(['']);
  const parts = paths.flatMap((path) => {
    const text = texts.get(path) ?? '';
    const clean = text.includes('\0') ? '' : cleanLines(text, LONGEST_LINE);
    if (seen.has(clean)) return [];
    seen.add(clean);
    return [`=== ${cleanLine(path, LONGEST_LINE)} ===\n${clean}`];
  });
  const lengths = shareRoom(
    parts.map(({ length }) => length),
    MOST - 2 * parts.length,
  );
  return parts.map((part, nth) => cutText(part, lengths[nth] ?? 0)).join('\n\n');
}

function rankOf(path: string): number {
  const name = CONVENTION.exec(path)?.[1]?.toLowerCase() ?? '';
  return ORDER.indexOf(name) + (path.includes('/') ? ORDER.length : 0);
}

/** What a short part does not need goes to the longer ones. */
function shareRoom(lengths: readonly number[], room: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const ascending = lengths.map((length, nth) => ({ length, nth })).sort((one, other) => one.length - other.length);
  let left = room;
  ascending.forEach(({ length, nth }, done) => {
    const share = Math.min(length, Math.floor(left / (lengths.length - done)));
    shares[nth] = share;
    left -= share;
  });
  return shares;
}
