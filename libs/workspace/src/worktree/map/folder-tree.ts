import { isOmitted } from './classify-files.js';
import { cleanLine, fitLines } from './plain-text.js';

const DEEPEST = 5;
const LONGEST_NAME = 80;
const MOST_LINES = 100;

interface Folder {
  readonly depth: number;
  readonly isOmitted: boolean;
  files: number;
}

/** Folders with the number of files below each: as many levels as fit, and no levels of vendored code. */
export function renderFolders(paths: readonly string[], room: number): readonly string[] {
  const folders = countFiles(paths);
  const sorted = [...folders.keys()].sort((one, other) => (one < other ? -1 : 1));
  for (let deepest = DEEPEST; ; deepest -= 1) {
    const shown = sorted.filter((path) => (folders.get(path)?.depth ?? 0) <= deepest);
    const isShort = shown.length <= MOST_LINES;
    if (!isShort && deepest > 1) continue;
    const lines = shown.map((path) => renderFolder(path, folders.get(path)));
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (length <= room || deepest <= 1) return fitLines(lines, room, (left) => `… ${String(left)} more folders`);
  }
}

/** By path with a slash at its end. */
function countFiles(paths: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  for (const path of paths) {
    let end = path.indexOf('/');
    for (let depth = 1; end >= 0 && depth <= DEEPEST; depth += 1) {
      const folder = path.slice(0, end + 1);
      const known = folders.get(folder) ?? { depth, isOmitted: isOmitted(folder), files: 0 };
      known.files += 1;
      folders.set(folder, known);
      end = known.isOmitted ? -1 : path.indexOf('/', end + 1);
    }
  }
  return folders;
}

function renderFolder(path: string, folder?: Folder): string {
  const name = cleanLine(path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1), LONGEST_NAME);
  const mark = folder?.isOmitted === true ? ' (vendored or generated, not listed)' : '';
  return `${'  '.repeat((folder?.depth ?? 1) - 1)}${name}/ ${String(folder?.files ?? 0)}${mark}`;
}
