import { isCommon } from './common-words.js';
import { keyOf, stemOf, type Token, tokensIn } from './names-in-text.js';
import { findSharedWord } from './shared-words.js';
import { speaksOfFailures } from './speaks-of-failures.js';

export interface ScopeFacts {
  readonly request: string;
  readonly steps: readonly { readonly title: string; readonly detail: string }[];
  /** Failures of the baseline. `output` is the part of the output about this failure, with its stack. */
  readonly failures: readonly { readonly name: string; readonly output: string }[];
  /** Names of failures that the planner proposes. */
  readonly proposed: readonly string[];
  readonly goal: 'green' | null;
}

/** The baseline failures that the result must fix, each with the reason. Added text never takes one out. */
export function failuresInScope(facts: ScopeFacts): ReadonlyMap<string, string> {
  const texts = [facts.request, ...facts.steps.flatMap(({ title, detail }) => [title, detail])];
  const asked = texts.map(readAsked);
  const general = generalReason(facts);
  const scope = new Map<string, string>();
  for (const { name, output } of facts.failures) {
    const shared = general === null ? findSharedName(asked, readFailure(name, output)) : null;
    if (general !== null) scope.set(name, general);
    else if (shared !== null) scope.set(name, `The request or a step names ${shared}, and so does the failure.`);
    else if (facts.proposed.includes(name)) scope.set(name, 'The plan says that this failure belongs to the request.');
  }
  return scope;
}

/** Whether a text names what a failing test is about: a module or name of its output, or a word of its own name. */
export function namesFailure(text: string, { name, output }: ScopeFacts['failures'][number]): boolean {
  return findSharedName([readAsked(text)], readFailure(name, output)) !== null || findSharedWord(text, name) !== null;
}

function generalReason({ request, goal }: ScopeFacts): string | null {
  if (goal === 'green') return 'The goal of the project is that all tests pass.';
  return speaksOfFailures(request) ? 'The request asks to fix failing tests.' : null;
}

/** What a text names, each with its spelling in the text. */
interface Asked {
  /** May be a module: files, words, and neighbouring words. */
  readonly modules: ReadonlyMap<string, string>;
  /** Written as code. */
  readonly names: ReadonlyMap<string, string>;
}

interface FailureNames {
  readonly modules: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function readAsked(text: string): Asked {
  const tokens = tokensIn(text);
  const modules = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'path') modules.set(stemOf(token.text), token.text);
    else modules.set(keyOf(token.text), token.text);
    if (token.kind === 'name') names.set(keyOf(token.text), token.text);
    for (const count of [2, 3]) {
      const words = tokens.slice(at, at + count);
      if (words.length === count && areNeighbours(words)) {
        const spelling = words.map((word) => word.text).join(' ');
        modules.set(keyOf(spelling), spelling);
      }
    }
  }
  return { modules, names };
}

const areNeighbours = (words: readonly Token[]): boolean =>
  words.every(({ kind, line }) => kind === 'word' && line === words[0]?.line);

const FOREIGN_FRAME = /node_modules\/|\bnode:|site-packages\/|\/lib\/python\d/;

function readFailure(name: string, output: string): FailureNames {
  const own = output.split('\n').filter((line) => !FOREIGN_FRAME.test(line));
  const tokens = tokensIn([name, ...own].join('\n'));
  const paths = tokens.filter(({ kind }) => kind === 'path').map(({ text }) => stemOf(text));
  const names = tokens.filter(({ kind }) => kind !== 'path').map(({ text }) => keyOf(text));
  return { modules: new Set(paths), names: new Set(names) };
}

function findSharedName(asked: readonly Asked[], failure: FailureNames): string | null {
  for (const { modules, names } of asked) {
    for (const [key, spelling] of modules) if (failure.modules.has(key) && !isCommon(key)) return spelling;
    for (const [key, spelling] of names) if (failure.names.has(key) && !isCommon(key)) return spelling;
  }
  return null;
}
