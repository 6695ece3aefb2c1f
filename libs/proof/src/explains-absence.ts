import { readPatch } from '#kernel';

export interface DiffFacts {
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly patch: string;
}

/**
 * Whether a diff adds each missing name: a file for a path, a line with the whole word for an identifier or a flag. A
 * line that only imports a module does not add it, so paths need a file.
 */
export function explainsAbsence(missing: readonly string[], diff: DiffFacts): boolean {
  if (missing.length === 0) return false;
  const files = diff.files.filter(({ status }) => status === 'added' || status === 'renamed').map(({ path }) => path);
  const lines = newLines(diff.patch);
  return missing.every((name) => name !== '' && (files.some((file) => isFileOf(file, name)) || isInLines(lines, name)));
}

/** Added lines whose text the same patch does not remove elsewhere: a line that only moved adds nothing. */
function newLines(patch: string): readonly string[] {
  const all = readPatch(patch).flatMap(({ hunks }) => hunks.flat());
  const removed = new Set(all.filter(({ kind }) => kind === '-').map(({ text }) => text.trim()));
  return all.filter(({ kind, text }) => kind === '+' && !removed.has(text.trim())).map(({ text }) => text);
}

/** `./x.js` may be the file `src/x.ts`; a package may be a folder with an index. */
function isFileOf(file: string, name: string): boolean {
  const wanted = bare(name);
  if (wanted === '') return false;
  const folder = `/${file}`.includes(`/${name.replace(/^(?:\.{0,2}\/)+|\/$/g, '')}/`);
  const paths = [bare(file), bare(file).replace(/\/(?:index|__init__|mod)$/, '')];
  return folder || [wanted, sourceOf(wanted)].some((one) => paths.some((path) => areSame(path, one)));
}

/** A build puts `src/x.ts` into `dist/x.js`. */
const sourceOf = (built: string): string => built.replace(/^(?:.*\/)?(?:dist|build|lib|out)\/(?=.)/, '');

const areSame = (path: string, wanted: string): boolean =>
  path === wanted || path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`);

/** Without its way up, and without the end that differs between a source and what it is built into. */
const bare = (path: string): string =>
  path
    .replace(/^file:\/\//, '')
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/\.(?:[cm]?[jt]sx?|py|json)$/, '');

function isInLines(lines: readonly string[], name: string): boolean {
  if (/^--?[\w-]+$/.test(name)) return spellingsOf(name.replace(/^-+/, '')).some((word) => hasWord(lines, word));
  if (/^\/[\w/:-]*$/.test(name)) return hasRoute(lines, name);
  return !/[./\\]/.test(name) && hasWord(lines, name);
}

/** A program may declare `--dry-run` as `dryRun` or `dry_run`. */
const spellingsOf = (flag: string): readonly string[] => [
  flag,
  flag.replaceAll('-', '_'),
  flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
];

/** A router may spell the whole route, or only its last part below a prefix. */
function hasRoute(lines: readonly string[], route: string): boolean {
  const last = route.split('/').findLast((part) => part !== '' && !part.startsWith(':'));
  return lines.some((line) => line.includes(route) && route !== '/') || (last !== undefined && hasWord(lines, last));
}

function hasWord(lines: readonly string[], word: string): boolean {
  const escaped = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped}(?![\p{L}\p{N}_$])`, 'u');
  return lines.some((line) => whole.test(line));
}
