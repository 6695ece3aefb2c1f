/** How a language writes comments. */
interface Comments {
  readonly files: RegExp;
  /** From here to the end of the line. */
  readonly line: RegExp;
  readonly hasBlocks: boolean;
  /** Begins and ends a text of several lines, in which a sign of a comment is none. */
  readonly longText: RegExp;
}

const NEVER = /(?!)/g;
const LANGUAGES: readonly Comments[] = [
  { files: /\.(?:[cm]?[jt]sx?|vue|svelte|go)$/i, line: /^\/\//, hasBlocks: true, longText: /`/g },
  {
    files: /\.(?:rs|java|kts?|scala|groovy|cs|swift|c|h|cc|cpp|hpp)$/i,
    line: /^\/\//,
    hasBlocks: true,
    longText: /"""/g,
  },
  { files: /\.php$/i, line: /^(?:\/\/|#(?!\[))/, hasBlocks: true, longText: NEVER },
  // Python takes such a line for the encoding of the file, and may read other code than a person sees.
  {
    files: /\.py$/i,
    line: /^#(?!.{0,200}coding[:=][\t ]*(?!utf-?8\b)[-\w.])/i,
    hasBlocks: false,
    longText: /"""|'''/g,
  },
  { files: /\.(?:rb|sh)$/i, line: /^#/, hasBlocks: false, longText: NEVER },
];

/** To a program these characters end a line. A patch shows what follows them in the same line. */
const LINE_ENDS = /[\r\u2028\u2029]/;

/**
 * What is code in neighbouring lines of a file: for each line its pieces without the comments that they begin with. If
 * in doubt, a comment counts as code: a line that begins like a comment may not be one.
 */
export function codeOfLines(path: string, lines: readonly string[]): readonly (readonly string[])[] {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (!language) return lines.map((line) => line.split(LINE_ENDS));
  const reader = new CommentReader(language, /^\s*\*/.test(lines[0] ?? ''));
  return lines.map((line) => line.split(LINE_ENDS).map((piece) => reader.codeOf(piece)));
}

/** Reads lines in their order. It knows whether the last one left a block comment or a long text open. */
class CommentReader {
  private isInText = false;

  constructor(
    private readonly language: Comments,
    private isInBlock: boolean,
  ) {
    this.isInBlock &&= language.hasBlocks;
  }

  codeOf(line: string): string {
    const wasInText = this.isInText;
    const marks = line.match(this.language.longText)?.length ?? 0;
    if (marks % 2 === 1) this.isInText = !this.isInText;
    return wasInText ? line : this.withoutComments(line);
  }

  private withoutComments(line: string): string {
    const begins = line.trimStart();
    // Most blocks have such a sign before each line. Without it, a line between could be anything.
    if (this.isInBlock && !begins.startsWith('*')) {
      this.isInBlock = !begins.includes('*/');
      return line;
    }
    let rest = this.isInBlock ? this.behindBlock(begins) : begins;
    while (this.language.hasBlocks && rest.startsWith('/*')) rest = this.behindBlock(rest.slice(2));
    if (rest === begins) return this.language.line.test(begins) ? '' : line;
    return this.language.line.test(rest) ? '' : rest;
  }

  private behindBlock(text: string): string {
    const end = text.indexOf('*/');
    this.isInBlock = end < 0;
    return end < 0 ? '' : text.slice(end + 2).trimStart();
  }
}
