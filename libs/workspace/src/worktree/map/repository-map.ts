import { type FileKind, kindOf, sortByUse } from './classify-files.js';
import { chooseConventions } from './conventions.js';
import { exportedNames } from './exported-names.js';
import { renderFolders } from './folder-tree.js';
import { describeManifest, isManifest, summarizeManifest } from './manifests.js';
import { cleanLine, fitLines } from './plain-text.js';

export interface MapInput {
  /** Files of the repository, below its root. */
  readonly paths: readonly string[];
  /** The texts of those that were read. */
  readonly texts: ReadonlyMap<string, string>;
  /** There are more files than these. */
  readonly isCut: boolean;
}

/** Files to read, the most useful first. */
export interface ChosenFiles {
  readonly conventions: readonly string[];
  readonly manifests: readonly string[];
  /** More than are read: some of them may be too long. */
  readonly sources: readonly string[];
}

export const LONGEST_MAP = 12_000;
const PROJECT_ROOM = 2_500;
const FOLDERS_ROOM = 2_500;
/** Kept free for these sections, however long the section before is. */
const TESTS_ROOM = 1_500;
const OTHERS_ROOM = 1_000;
const LONGEST_LINE = 300;
const LONGEST_PATH = 200;
const MOST_MANIFESTS = 40;
const MOST_CANDIDATES = 600;

export function chooseFiles(paths: readonly string[]): ChosenFiles {
  const groups = groupByKind(paths);
  return {
    conventions: chooseConventions(paths),
    manifests: sortByUse(groups.other.filter(isManifest)).slice(0, MOST_MANIFESTS),
    sources: sortByUse(groups.source).slice(0, MOST_CANDIDATES),
  };
}

/** Plain text of at most 12,000 characters: project, folders, source files, tests, other files. */
export function renderMap({ paths, texts, isCut }: MapInput): string {
  if (paths.length === 0) return 'The repository has no files.';
  const groups = groupByKind(paths);
  const tests = sortByUse(groups.test).map(showPath);
  const others = sortByUse(groups.other).map(showPath);
  const room = (wanted: readonly string[], most: number): number => Math.min(most, lengthOf(wanted) + 20);

  let map = renderSection('PROJECT', describeProject(texts), PROJECT_ROOM);
  map += renderSection('FOLDERS (with the number of files)', listFolders(paths, isCut), FOLDERS_ROOM);
  const reserved = room(tests, TESTS_ROOM) + room(others, OTHERS_ROOM);
  const sources = sortByUse(groups.source).map((path) => describeSource(path, texts.get(path)));
  map += renderSection('SOURCE FILES (with the names they export)', sources, LONGEST_MAP - map.length - reserved);
  map += renderSection('TESTS', tests, LONGEST_MAP - map.length - room(others, OTHERS_ROOM));
  map += renderSection('OTHER FILES', others, LONGEST_MAP - map.length);
  return map.trimEnd();
}

function groupByKind(paths: readonly string[]): Readonly<Record<FileKind, readonly string[]>> {
  const groups: Record<FileKind, string[]> = { source: [], test: [], other: [], omitted: [] };
  for (const path of paths) groups[kindOf(path)].push(path);
  return groups;
}

const showPath = (path: string): string => cleanLine(path, LONGEST_PATH);

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** With an empty line at its end; nothing if there are no lines or no room for one. */
function renderSection(title: string, lines: readonly string[], room: number): string {
  const fitting = fitLines(lines, room - title.length - 2, (left) => `… ${String(left)} more`);
  return fitting.length === 0 ? '' : `${[title, ...fitting].join('\n')}\n\n`;
}

function describeProject(texts: ReadonlyMap<string, string>): readonly string[] {
  const manifests = sortByUse([...texts.keys()].filter(isManifest));
  return manifests.flatMap((path) => {
    const text = texts.get(path) ?? '';
    return path.includes('/') ? [summarizeManifest(path, text)] : describeManifest(path, text);
  });
}

function listFolders(paths: readonly string[], isCut: boolean): readonly string[] {
  const inRoot = paths.filter((path) => !path.includes('/')).length;
  const total = `${isCut ? 'more than ' : ''}${String(paths.length)} files, ${String(inRoot)} of them in the root`;
  return [total, ...renderFolders(paths, FOLDERS_ROOM - total.length - 60)];
}

function describeSource(path: string, text: string | undefined): string {
  const names = text === undefined ? [] : exportedNames(path, text);
  return names.length === 0 ? showPath(path) : cleanLine(`${showPath(path)}: ${names.join(', ')}`, LONGEST_LINE);
}
