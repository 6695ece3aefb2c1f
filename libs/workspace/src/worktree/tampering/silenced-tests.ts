import { type Dialect, dialectOf } from './dialects.js';
import type { PatchFile, PatchLine } from '#kernel';

/** First in a test, nothing of it runs. */
const RETURN = /^\s*return(?:\s+None)?\s*;?\s*$/;
const RETURN_AT_ONCE = /=>\s*\{\s*return\s*;|\)\s*\{\s*return\s*;/;
/** The tests behind it are never begun. Only as a statement: a test may well hold a script that ends so. */
const END = /^\s*(?:process\.(?:exit|reallyExit|abort)\s*\(|(?:os\._exit|sys\.exit|pytest\.exit)\s*\(|os\.Exit\(\d)/;
const TRY = /\btry\b/;
const CATCH = /\bcatch\b|^\s*except\b/;
/** What tests are written with, from a package and from a file of the repository. */
const TOOL = String.raw`^\s*(?:import|const|let|var)\b.{0,300}\b(?:assert|expect|test|it|describe)\b.{0,300}['"]`;
const TOOL_OF_PACKAGE = new RegExp(
  `${TOOL}(?:node:assert|node:test|assert|chai|vitest|expect|@jest/globals|@playwright/test|bun:test|ava|tape|uvu)\\b`,
);
const TOOL_OF_FILE = new RegExp(`${TOOL}[.#]`);

/** Lines that were added to tests and take the say from them: they run, and pass whatever the code does. */
export function silencedIn(file: PatchFile): readonly string[] {
  const dialect = file.to === null ? null : dialectOf(file.to);
  if (file.to === null || dialect?.testFiles.test(file.to) !== true) return [];
  const lines = file.hunks.flat();
  return [
    ...file.hunks.flatMap((hunk) => [...endedEarly(hunk, dialect), ...caught(hunk, dialect)]),
    ...(lines.some(({ kind, text }) => kind === '-' && TOOL_OF_PACKAGE.test(text))
      ? lines.filter(({ kind, text }) => kind === '+' && TOOL_OF_FILE.test(text)).map(({ text }) => text.trim())
      : []),
  ];
}

/** As it is now, without what says nothing. */
const codeIn = (hunk: readonly PatchLine[], { comment }: Dialect): readonly PatchLine[] =>
  hunk.filter(({ kind, text }) => kind !== '-' && text.trim() !== '' && !comment.test(text));

const goneFrom = (hunk: readonly PatchLine[]): ReadonlySet<string> =>
  new Set(hunk.filter(({ kind }) => kind === '-').map(({ text }) => text.trim()));

function endedEarly(hunk: readonly PatchLine[], dialect: Dialect): readonly string[] {
  const begins = (text = ''): boolean => dialect.header.test(text) || dialect.marked.test(text);
  const gone = goneFrom(hunk);
  return codeIn(hunk, dialect).flatMap(({ kind, text }, at, all) => {
    if (kind !== '+' || gone.has(text.trim())) return [];
    const isFirst = RETURN.test(text) && begins(all[at - 1]?.text);
    return isFirst || END.test(text) || (begins(text) && RETURN_AT_ONCE.test(text)) ? [text.trim()] : [];
  });
}

/** Assertions that were there before, and whose failure is caught now. */
function caught(hunk: readonly PatchLine[], dialect: Dialect): readonly string[] {
  const found: string[] = [];
  const gone = goneFrom(hunk);
  const hadAssertion = [...gone].some((text) => dialect.assertion.test(text));
  let isOpen = false;
  let holdsOld = false;
  for (const { kind, text } of codeIn(hunk, dialect)) {
    const isAssertion = dialect.assertion.test(text);
    if (kind === '+' && TRY.test(text)) [isOpen, holdsOld] = [true, hadAssertion && isAssertion && CATCH.test(text)];
    else if (isOpen && isAssertion && (kind === ' ' || gone.has(text.trim()))) holdsOld = true;
    if (kind !== '+' || !CATCH.test(text)) continue;
    if (isOpen && holdsOld) found.push(text.trim());
    isOpen = false;
  }
  return found;
}
