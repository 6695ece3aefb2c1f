import { plainLines } from '#kernel';

export interface ChangedFile {
  readonly path: string;
  /** Lines of the file that are in the diff, with their sign: `+`, `-` or a blank. */
  readonly lines: readonly string[];
}

const MOST_READ = 4 * 1024 * 1024;
const LONGEST_LINE = 4_000;
const HEADER = /^(?:\+\+\+|---|rename from|rename to) (?:"?[ab]\/)?(.{1,1000}?)"?\t?$/;
const BEGINS = /^diff --git "?a\/(.{1,1000}?)"? "?b\/(.{1,1000}?)"?$/;

/** The files of a unified diff as git writes it. A file that was renamed is there under both of its names. */
export function changedFiles(diff: string): readonly ChangedFile[] {
  const files: { paths: Set<string>; lines: string[] }[] = [];
  let isHeader = true;
  for (const line of plainLines(diff, MOST_READ)) {
    const begins = BEGINS.exec(line);
    if (begins) {
      files.push({ paths: new Set(begins.slice(1).map(String)), lines: [] });
      isHeader = true;
    } else if (line.startsWith('@@ ')) isHeader = false;
    const file = files.at(-1);
    if (!file || begins) continue;
    const named = isHeader ? HEADER.exec(line)?.[1] : undefined;
    if (named !== undefined && named !== '/dev/null') file.paths.add(named);
    if (!isHeader && /^[-+ ]/.test(line)) file.lines.push(line.slice(0, LONGEST_LINE));
  }
  return files.flatMap(({ paths, lines }) => [...paths].map((path) => ({ path, lines })));
}
