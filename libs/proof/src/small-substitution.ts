import { BLOT, patchedPath, type PatchFile, type PatchLine, readPatch } from '#kernel';
import { isGeneratedFile } from './generated-file.js';
import { isSingleDemand, namesToken } from './single-demand.js';
import { titleOf } from './scope/output-of-failure.js';

export interface SubstitutionFacts {
  /** The whole change, as text. */
  readonly patch: string;
  /** Whether a part of the patch is missing. */
  readonly isCut: boolean;
  readonly files: readonly { readonly path: string; readonly status: string }[];
  /** No test, no test settings, no manifest and no document. */
  readonly isSource: (path: string) => boolean;
}

export interface AskedFacts {
  readonly request: string;
  /** How many parts the request has. */
  readonly parts: number;
  /** Failing tests of the base that cover the part, with what they printed there. */
  readonly failures: readonly { readonly name: string; readonly output: string }[];
}

/** The one token that a change replaces. */
export interface Substitution {
  readonly kind: 'number' | 'operator' | 'name';
  readonly old: string;
  readonly now: string;
}

/** Another mode of a file, a link or a submodule. Lines of files have a sign before them. */
const CHANGES_KIND = /^(?:old mode |new mode |index \S+ 1[26]0000$)/m;

/** Some languages keep tests beside the code, in the same file. */
const ASSERTS = /\b(?:assert\w*|expect\w*)\b|#\[(?:\w+::)*(?:test|cfg\(test\))|\.should\b/i;

const LONGEST_LINE = 500;

/** In these languages a name alone calls nothing. */
const LANGUAGE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|cs|swift|c|h|cc|cpp|hpp)$/i;
const BESIDE_SOURCES =
  /(?:^|\/)(?:\.[^/]*|docs?|documentation|[\w-]*tests?|[\w-]*specs?|e2e|testdata|fixtures?|goldens?|__\w+__|config|scripts?|tools?|ci)\//i;
const SETTINGS =
  /(?:^|\/)(?:\.[^/]*|[^/]*\.(?:config|conf|setup|workspace|test|spec)\.\w+|(?:conf|conftest|config|settings|setup|gulpfile|gruntfile|noxfile|sitecustomize|usercustomize)\.\w+)$/i;

/**
 * The one change of behaviour that needs no reader: one number, operator or name replaces another one, the request or a
 * failing test names it, and the request asks for nothing else. Numbers that only suit one tested value, and work that
 * is left out, would pass the tests too. If in doubt, a change is not a small substitution.
 */
export function isSmallSubstitution(facts: SubstitutionFacts & AskedFacts): boolean {
  const { request, parts, failures } = facts;
  const found = parts === 1 ? findSubstitution(facts) : null;
  if (found === null) return false;
  const { kind, old, now } = found;
  const replaced = kind === 'operator' ? [] : [old, now];
  const texts = [request, ...failures.map(({ output }) => linesOfAssertions(output))];
  const isNamed = kind === 'operator' || texts.some((text) => namesToken(text, now));
  return isNamed && isSingleDemand({ request, replaced, tests: failures.map(({ name }) => titleOf(name)) });
}

/** Other lines of an output have numbers of any kind: durations, counts, positions. */
const ASSERTED = /\b(?:expected|actual|received|assert\w*|expect\w*|equals?)\b|[!=]==?/i;
const POSITION = /:\d+(?::\d+)?\b|\bline \d+/g;

const linesOfAssertions = (output: string): string =>
  output
    .split('\n')
    .filter((line) => ASSERTED.test(line))
    .map((line) => line.replaceAll(POSITION, ''))
    .join('\n');

/**
 * The token that is replaced, if nothing else changes. It adds nothing that could tell a test from a user: no text,
 * call, member, condition or line.
 */
export function findSubstitution({ patch, isCut, files, isSource }: SubstitutionFacts): Substitution | null {
  const isOrdinary = (path: string): boolean =>
    isSource(path) &&
    LANGUAGE.test(path) &&
    !BESIDE_SOURCES.test(path) &&
    !SETTINGS.test(path) &&
    !isGeneratedFile(path);
  const [file, ...others] = files;
  if (isCut || file === undefined || others.length > 0 || CHANGES_KIND.test(patch)) return null;
  if (file.status !== 'changed' || !isOrdinary(file.path)) return null;
  const [patched, ...more] = readPatch(patch);
  if (patched === undefined || more.length > 0 || patchedPath(patched) !== file.path) return null;
  if (patched.hunks.flat().some(({ text }) => ASSERTS.test(text))) return null;
  const lines = replacedLines(patched);
  return lines?.[0] && lines.length === 1 ? readSubstitution(lines[0]) : null;
}

type Replaced = readonly [old: string, now: string];

/** Lines that replace others one to one; null if the file has another change too. */
function replacedLines({ from, to, hunks, hasLongLine }: PatchFile): readonly Replaced[] | null {
  if (from === null || from !== to || hasLongLine) return null;
  const replaced: Replaced[] = [];
  for (const hunk of hunks) {
    for (let at = 0; at < hunk.length;) {
      const old = stretch(hunk, at, '-');
      const now = stretch(hunk, at + old.length, '+');
      if (old.length !== now.length) return null;
      old.forEach((line, nth) => replaced.push([line, now[nth] ?? '']));
      at += Math.max(1, old.length + now.length);
    }
  }
  return replaced;
}

function stretch(hunk: readonly PatchLine[], start: number, kind: PatchLine['kind']): readonly string[] {
  const lines: string[] = [];
  for (let line = hunk[start]; line?.kind === kind; line = hunk[start + lines.length]) lines.push(line.text);
  return lines;
}

/** Other characters may end a line, hide what follows or look like others. */
const PRINTABLE = /^[\t\x20-\x7E]*$/;
/** Comments, templates, and decorators. */
const UNSURE = /\/\/|\/\*|\*\/|<!--|-->|[`#@\\]/;

type Kind = 'number' | 'word' | 'text' | 'operator' | 'space' | 'other';
interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const TOKENS: readonly (readonly [Kind, RegExp])[] = [
  ['space', /[\t ]+/y],
  ['text', /'[^']*'|"[^"]*"/y],
  ['word', /[A-Za-z_$][\w$]*/y],
  ['number', /(?:0[xX][\dA-Fa-f]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.$])/y],
  ['operator', /[-+*/%=<>!&|^~?]+/y],
  ['other', /[.,;:()[\]{}]/y],
];

function readSubstitution([old, now]: Replaced): Substitution | null {
  if (old === now || isUnsure(old) || isUnsure(now)) return null;
  const [before, after] = [readTokens(old), readTokens(now)];
  if (before === null || after === null || before.length !== after.length) return null;
  // A line that begins with an operator may be one of a comment.
  if (after.find(({ kind }) => kind !== 'space')?.kind === 'operator') return null;
  const changed = after.flatMap((token, at) => (token.text === before[at]?.text ? [] : [at]));
  const [at] = changed;
  const [from, to] = at === undefined ? [] : [before[at], after[at]];
  if (at === undefined || changed.length > 1 || !from || !to || !mayReplace(from, to, after, at)) return null;
  return {
    kind: to.kind === 'word' ? 'name' : to.kind === 'operator' ? 'operator' : 'number',
    old: from.text,
    now: to.text,
  };
}

const isUnsure = (line: string): boolean =>
  line.length > LONGEST_LINE || !PRINTABLE.test(line) || UNSURE.test(line) || line.includes(BLOT);

function readTokens(line: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < line.length;) {
    const token = tokenAt(line, at);
    if (token === null) return null;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(line: string, at: number): Token | null {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text !== undefined) return { kind, text };
  }
  return null;
}

/** An operator replaces only one of its own kind: a comparison instead of a sum would be a new decision. */
const OPERATORS: readonly (readonly string[])[] = [
  ['<', '>', '<=', '>=', '==', '!=', '===', '!=='],
  ['+', '-', '*', '/'],
  ['&&', '||'],
];

/** Names that are no variables of the program. */
const RESERVED = new Set(
  (
    'this self super arguments true false null nil undefined NaN Infinity None True False return throw raise yield await ' +
    'async new typeof void delete in is of not and or if else elif while for do switch case when match try catch finally ' +
    'except with var let const static public private protected final mut val goto break continue pass'
  ).split(' '),
);
/** Such a line gives names to other things than values, or loads them from elsewhere. */
const BINDS = new Set(
  (
    'import export from require include using use mod package extern function def fn func fun class struct enum trait ' +
    'impl interface type lambda global nonlocal del delete as'
  ).split(' '),
);
/** A name beside one of these is read, and neither called nor set, and has no member that is read. */
const BEFORE_VALUE = /^(?:[,([]|[-+*/<>=]|[<>=!]==?|&&|\|\||return)$/;
const BEHIND_VALUE = /^(?:[,)\];]|[-+*/<>]|[<>=!]==?|&&|\|\|)$/;

function mayReplace(old: Token, now: Token, line: readonly Token[], at: number): boolean {
  if (old.kind !== now.kind) return false;
  const before = line.slice(0, at).findLast(({ kind }) => kind !== 'space');
  const behind = line.slice(at + 1).find(({ kind }) => kind !== 'space');
  switch (now.kind) {
    case 'number':
      return true;
    case 'operator':
      return isOperand(before) && OPERATORS.some((same) => same.includes(old.text) && same.includes(now.text));
    case 'word':
      if (RESERVED.has(old.text) || RESERVED.has(now.text) || binds(line)) return false;
      return BEFORE_VALUE.test(before?.text ?? '') && (behind === undefined || BEHIND_VALUE.test(behind.text));
    case 'text':
    case 'space':
    case 'other':
      return false;
  }
}

const isOperand = (token: Token | undefined): boolean =>
  token?.kind === 'number' ||
  (token?.kind === 'word' && !RESERVED.has(token.text)) ||
  /^[)\]]$/.test(token?.text ?? '');

/** Whether the line may name parameters or set several names: `f(a) {`, `(a) => b`, `{ a } = b`, `[a] = b`. */
function binds(line: readonly Token[]): boolean {
  if (line.some(({ kind, text }) => text === '=>' || (kind === 'word' && BINDS.has(text)))) return true;
  if (line.findLast(({ kind }) => kind !== 'space')?.text === '{') return true;
  const equals = line.findIndex(({ text }) => text === '=');
  return line.slice(0, Math.max(0, equals)).some(({ text }) => /^[{[(,]$/.test(text));
}
