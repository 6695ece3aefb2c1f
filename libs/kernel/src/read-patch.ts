/** One line of a patch: taken away, added, or there before and after. */
export interface PatchLine {
  readonly kind: '-' | '+' | ' ';
  readonly text: string;
}

export interface PatchFile {
  /** Where it was, null if it is new. */
  readonly from: string | null;
  /** Where it is, null if it was deleted. */
  readonly to: string | null;
  /** Stretches of neighbouring lines. */
  readonly hunks: readonly (readonly PatchLine[])[];
  /** A line that was taken away or added is longer than what is looked at. */
  readonly hasLongLine: boolean;
}

/** The path after the change; for a deleted file, the path before it. */
export const patchedPath = (file: PatchFile): string => file.to ?? file.from ?? '';

type Unfinished = { -readonly [key in keyof PatchFile]: PatchFile[key] } & { hunks: PatchLine[][] };

/** So much of a line is looked at: no person writes longer ones. */
const LONGEST_LINE = 20_000;

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads a unified patch of git's; one that was cut is read up to where it ends. */
export function readPatch(patch: string): readonly PatchFile[] {
  const lines = patch.split('\n');
  const files: Unfinished[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const file = files.at(-1);
    if (line.startsWith('diff --git ')) files.push({ ...namesIn(line), hunks: [], hasLongLine: false });
    if (!file) continue;
    // Only before the first hunk: within one, a line that is taken away may begin like this too.
    if (line.startsWith('--- ')) file.from = nameIn(line, 'a/');
    else if (line.startsWith('+++ ')) file.to = nameIn(line, 'b/');
    else if (line.startsWith('rename from ')) file.from = unquoted(line.slice('rename from '.length));
    else if (line.startsWith('rename to ')) file.to = unquoted(line.slice('rename to '.length));
    else if (line.startsWith('deleted file mode')) file.to = null;
    else if (line.startsWith('new file mode')) file.from = null;
    const size = HUNK.exec(line);
    if (size) at = readHunk(lines, at + 1, Number(size[1] ?? 1), Number(size[2] ?? 1), file);
  }
  return files;
}

/** Hunks say how long they are: what a line says never ends one. Returns where the last line is. */
function readHunk(lines: readonly string[], start: number, before: number, after: number, file: Unfinished): number {
  const hunk: PatchLine[] = [];
  let [old, now, at] = [before, after, start];
  for (; (old > 0 || now > 0) && at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const kind = line[0] ?? ' ';
    if (kind === '\\') continue;
    if (kind !== '-' && kind !== '+' && kind !== ' ') break;
    hunk.push({ kind, text: line.slice(1, LONGEST_LINE) });
    if (kind !== ' ' && line.length > LONGEST_LINE) file.hasLongLine = true;
    if (kind !== '+') old -= 1;
    if (kind !== '-') now -= 1;
  }
  file.hunks.push(hunk);
  return at - 1;
}

/** Both names from the first line, for files without a hunk (binary ones, pure renames); there they are the same. */
function namesIn(line: string): { from: string | null; to: string | null } {
  const both = line.slice('diff --git '.length);
  const half = (both.length - 1) / 2;
  const [from, to] = [unquoted(both.slice(0, half)), unquoted(both.slice(half + 1))];
  const name = from.startsWith('a/') && to === `b/${from.slice(2)}` ? from.slice(2) : null;
  return { from: name, to: name };
}

function nameIn(line: string, prefix: string): string | null {
  const name = unquoted(line.slice(4).replace(/\t$/, ''));
  return name === '/dev/null' ? null : name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v', '"': '"', '\\': '\\',
}; // prettier-ignore

/** Git quotes names as C does. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"') || name.length < 2) return name;
  const bytes: Buffer[] = [];
  for (const part of name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? []) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Buffer.from([Number.parseInt(part.slice(1), 8)]));
    else bytes.push(Buffer.from(part.startsWith('\\') ? (ESCAPES[part.slice(1)] ?? part) : part));
  }
  return Buffer.concat(bytes).toString('utf8');
}
