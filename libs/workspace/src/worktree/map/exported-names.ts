import { scriptExports } from './script-exports.js';

const MOST_NAMES = 40;
const LONGEST_NAME = 60;
/** Longer lines are minified code or data. */
const LONGEST_LINE = 400;
/** Generated files say so in a comment at their beginning. */
const HEADER_LENGTH = 1_000;
const GENERATED = /^[ \t]*(?:\/\/|\/?\*+|#|--|<!--).*(?:@generated\b|DO NOT EDIT|auto-?generated)/im;

interface Language {
  readonly files: RegExp;
  readonly find: (lines: readonly string[]) => readonly string[];
}

/**
 * Finds names by line. The groups that matched are the name, joined by dots. The text is hostile: no two quantifiers
 * that match the same characters may stand side by side.
 */
const byLine =
  (...patterns: readonly RegExp[]) =>
  (lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) => {
      const match = patterns.map((pattern) => pattern.exec(line)).find((found) => found !== null);
      return match ? [match.slice(1).filter(Boolean).join('.')] : [];
    });

/** A public method has at least one word between `public` and its name; a constructor has none. */
const PUBLIC_METHOD = /^\s*public\s+(?:[\w<>[\],.?]+\s+)+(\w+)\s*\(/;

const LANGUAGES: readonly Language[] = [
  { files: /\.[cm]?[jt]sx?$/, find: scriptExports },
  { files: /\.pyi?$/, find: byLine(/^(?:async\s+)?def\s+([A-Za-z]\w*)/, /^class\s+([A-Za-z]\w*)/) },
  {
    files: /\.go$/,
    find: byLine(/^func\s+(?:\(\s*(?:\w+\s+)?\*?([A-Z]\w*)[^)]*\)\s*)?([A-Z]\w*)/, /^(?:type|var|const)\s+([A-Z]\w*)/),
  },
  {
    files: /\.rs$/,
    find: byLine(
      /^\s*pub\s+(?:(?:async|const|unsafe|default|extern\s+"[^"]*")\s+)*fn\s+(\w+)/,
      /^\s*pub\s+(?:unsafe\s+)?(?:struct|enum|trait|mod|const|static|type|union)\s+(?:mut\s+)?(\w+)/,
      /^\s*macro_rules!\s*(\w+)/,
    ),
  },
  {
    files: /\.java$/,
    find: byLine(/^\s*public\s+(?:[a-z]+\s+)*(?:class|@?interface|enum|record)\s+(\w+)/, PUBLIC_METHOD),
  },
  {
    files: /\.rb$/,
    find: byLine(/^\s*(?:class|module)\s+([A-Z][\w:]*)/, /^\s*def\s+(?:self\.)?([A-Za-z]\w*[?!=]?)/),
  },
  {
    files: /\.php$/,
    find: byLine(
      /^(?:(?:final|abstract|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)/,
      /^function\s+&?([A-Za-z]\w*)/,
      /^\s*(?:(?:final|abstract|static)\s+)*public\s+(?:(?:final|abstract|static)\s+)*function\s+&?([A-Za-z]\w*)/,
    ),
  },
  {
    files: /\.cs$/,
    find: byLine(
      /^\s*public\s+(?:[a-z]+\s+)*?(?:record\s+(?:struct|class)|class|interface|enum|struct|record)\s+(\w+)/,
      PUBLIC_METHOD,
    ),
  },
];

const languageOf = (path: string): Language | undefined => LANGUAGES.find(({ files }) => files.test(path));

export const isSourceFile = (path: string): boolean => languageOf(path) !== undefined;

/** Names that a source file exports or defines publicly; none for binary and generated content. */
export function exportedNames(path: string, text: string): readonly string[] {
  const language = languageOf(path);
  if (language === undefined || text.includes('\0') || GENERATED.test(text.slice(0, HEADER_LENGTH))) return [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = language.find(lines.filter((line) => line.length <= LONGEST_LINE));
  return [...new Set(names.map((name) => name.slice(0, LONGEST_NAME)))].slice(0, MOST_NAMES);
}
