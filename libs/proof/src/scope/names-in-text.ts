/** A name without its spelling: `darkMode`, `dark_mode` and `dark-mode` are all `dark mode`. */
export type NameKey = string;

export const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|groovy|rb|php|cs|swift|vue|svelte|css|scss|html|json|ya?ml|toml|md|sh)$/;
const TEST_PARTS = /^tests? | (?:tests?|specs?|e2e)$/g;
const TOKEN = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./\\-]{0,300}(?:\(\))?/gu;
const MOST_TOKENS = 20_000;
const LONGEST_LINE = 2_000;

export function keyOf(identifier: string): NameKey {
  return identifier
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .join(' ')
    .toLowerCase();
}

/** The module that a path names: without folders, its ending, and what marks a test. */
export function stemOf(path: string): NameKey {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return keyOf(name.replace(EXTENSION, '')).replaceAll(TEST_PARTS, '');
}

export interface Token {
  readonly text: string;
  /** `path`: names a file. `name`: written as code. `word`: an ordinary word. */
  readonly kind: 'path' | 'name' | 'word';
  readonly line: number;
}

/** Reads each line by itself, so that an open quote in one line changes nothing in another. */
export function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [line, content] of text.split('\n').entries()) {
    const cut = content.slice(0, LONGEST_LINE);
    const quoted = new Set((cut.match(/`[^`]{1,200}`/g) ?? []).flatMap((code) => code.match(TOKEN) ?? []).map(trimmed));
    for (const raw of cut.match(TOKEN) ?? []) {
      if (tokens.length === MOST_TOKENS) return tokens;
      tokens.push(...split(trimmed(raw), quoted, line));
    }
  }
  return tokens;
}

const trimmed = (raw: string): string => raw.replace(/[./\\$@-]+$/, '');

function split(text: string, quoted: ReadonlySet<string>, line: number): readonly Token[] {
  if (text === '') return [];
  if (EXTENSION.test(text) || /[/\\]/.test(text)) return [{ text, kind: 'path', line }];
  const isCode = quoted.has(text) || text.endsWith('()') || text.includes('.') || isSpelledAsCode(text);
  return text
    .replace(/\(\)$/, '')
    .split('.')
    .map((part) => ({ text: part, kind: isCode ? 'name' : 'word', line }));
}

const isSpelledAsCode = (text: string): boolean => /[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(text);
