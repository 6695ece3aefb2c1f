import { isOmitted, sortByUse } from './classify-files.js';
import { cleanLine, cleanLines, cutText } from './plain-text.js';

const OF_REPOSITORY = /^(?:\.github\/)?(AGENTS|CLAUDE|CONTRIBUTING)\.md$/i;
/** They hold for a folder and what is below it. */
const OF_FOLDER = /\/(?:AGENTS|CLAUDE)\.md$/i;
const ORDER = ['agents', 'claude', 'contributing'];
const MOST = 8_000;
/** For the texts of folders: an agent changes few of them, and can read the others itself. */
const FOLDERS_ROOM = 2_000;
const LIST_ROOM = 500;
const MOST_FOLDERS = 20;
const LONGEST_LINE = 1_000;
const LIST_TITLE = 'Read these too, before you change files in their folders: ';

/** Files with rules for contributors: those of the whole repository, then some of its folders, nearest to the root first. */
export function chooseConventions(paths: readonly string[]): readonly string[] {
  const ofFolders = paths.filter((path) => OF_FOLDER.test(path) && !OF_REPOSITORY.test(path) && !isOmitted(path));
  return [...paths.filter((path) => OF_REPOSITORY.test(path)), ...sortByUse(ofFolders).slice(0, MOST_FOLDERS)];
}

interface Part {
  readonly path: string;
  readonly text: string;
}

/**
 * The texts of a repository's rules for contributors, in at most 8,000 characters. Short ones of the whole repository
 * stay whole. Those of folders are shown while they fit, and named if they do not.
 */
export function renderConventions(texts: ReadonlyMap<string, string>): string {
  const paths = [...texts.keys()];
  const seen = new Set(['']);
  const ofRepository = paths.filter((path) => OF_REPOSITORY.test(path));
  ofRepository.sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
  const first = ofRepository.flatMap((path) => renderPart(path, texts, seen));
  const others = sortByUse(paths.filter((path) => !OF_REPOSITORY.test(path)));
  const nested = others.flatMap((path) => renderPart(path, texts, seen));

  const most = nested.length > 0 ? MOST - LIST_ROOM : MOST;
  const lengths = shareRoom(
    first.map(({ text }) => text.length),
    most - 2 * first.length,
  );
  const shown = first.map(({ text }, nth) => cutText(text, lengths[nth] ?? 0));
  const used = shown.reduce((sum, { length }) => sum + length + 2, 0);
  let room = Math.min(FOLDERS_ROOM, most - used);
  const named: string[] = [];
  for (const { path, text } of nested) {
    const length = text.length + 2;
    if (length <= room) {
      shown.push(text);
      room -= length;
    } else named.push(path);
  }
  if (named.length > 0) shown.push(cutText(`${LIST_TITLE}${named.join(', ')}`, LIST_ROOM - 2));
  return shown.join('\n\n');
}

/** Empty if there is no text, or if another file has the same. */
function renderPart(path: string, texts: ReadonlyMap<string, string>, seen: Set<string>): readonly Part[] {
  const text = texts.get(path) ?? '';
  const clean = text.includes('\0') ? '' : cleanLines(text, LONGEST_LINE);
  if (seen.has(clean)) return [];
  seen.add(clean);
  const name = cleanLine(path, LONGEST_LINE);
  return [{ path: name, text: `=== ${name} ===\n${clean}` }];
}

function rankOf(path: string): number {
  const name = OF_REPOSITORY.exec(path)?.[1]?.toLowerCase() ?? '';
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
