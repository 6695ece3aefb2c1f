/** A word of a command without its quotes; `isLiteral` where the shell puts nothing into it. */
export interface Word {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** A string is an operator; the end of a line is a `;`. */
export type Token = Word | string;

const BLANK = /(?:[ \t\r]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const HERE_DOCUMENT = /\d*<<(?!<)-?[ \t]*/y;
const REDIRECTION = /(?:&>>?|\d*(?:<<<|[<>]&|<>|>>|>\||[<>](?!\()))[ \t]*/y;
const OPERATOR = /;;|&&|\|\||\|&|[;&|()\n]/y;
const PLAIN = /[^ \t\r\n;&|()<>'"\\$`]+/y;
const SINGLE = /'[^']*(?:'|$)/y;

/** Neither comments nor redirections nor what is fed to a command are among the tokens: no exit code depends on them. */
export function tokensOf(script: string): readonly Token[] {
  const reader = new Reader(script);
  const tokens: Token[] = [];
  const documents: string[] = [];
  while (!reader.isAtEnd) {
    if (reader.take(BLANK) || reader.take(COMMENT)) continue;
    if (reader.take(HERE_DOCUMENT)) {
      documents.push(reader.word().text);
    } else if (reader.take(REDIRECTION)) {
      reader.word();
    } else {
      const operator = reader.take(OPERATOR);
      tokens.push(operator === '' ? reader.word() : (ALIKE.get(operator) ?? operator));
      if (operator === '\n') for (const end of documents.splice(0)) reader.skipLinesTo(end);
    }
  }
  return tokens;
}

const ALIKE: ReadonlyMap<string, string> = new Map([
  ['\n', ';'],
  ['|&', '|'],
]);

/** Goes over each character once. */
class Reader {
  private at = 0;

  constructor(private readonly script: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.script.length;
  }

  /** What is here, where it is that; else ''. */
  take(what: RegExp): string {
    what.lastIndex = this.at;
    const [found = ''] = what.exec(this.script) ?? [];
    this.at += found.length;
    return found;
  }

  word(): Word {
    let [text, isLiteral] = ['', true];
    for (;;) {
      const begin = this.at;
      const plain = this.take(PLAIN);
      const single = plain === '' ? this.take(SINGLE) : '';
      if (plain === '' && single === '' && !this.skipPart()) break;
      const raw = this.script.slice(begin, this.at);
      text += single === '' ? unescaped(raw) : single.slice(1).replace(/'$/, '');
      if (single === '' && /[$`]|^[<>]/.test(raw.replaceAll(/\\[^]/g, ''))) isLiteral = false;
    }
    return { text, isLiteral };
  }

  /** Something quoted, escaped or put in by the shell. */
  private skipPart(): boolean {
    const char = this.script[this.at] ?? '';
    const opens = this.script[this.at + 1] === '(';
    if (char === '' || !('"\\$`'.includes(char) || ('<>'.includes(char) && opens))) return false;
    this.at += 1;
    if (char === '"' || char === '`') this.skipTo(char);
    else if (char === '\\') this.at += 1;
    else this.skipBrackets();
    return true;
  }

  private skipBrackets(): void {
    const closer = { '(': ')', '{': '}' }[this.script[this.at] ?? ''];
    if (closer === undefined) return;
    this.at += 1;
    this.skipTo(closer);
  }

  private skipTo(closer: string): void {
    while (!this.isAtEnd) {
      const char = this.script[this.at] ?? '';
      if (char === "'" && closer !== '"' && this.take(SINGLE)) continue;
      this.at += 1;
      if (char === closer) return;
      if (char === '\\') this.at += 1;
      else if (char === '"' || char === '`') this.skipTo(char);
      else if (char === '$') this.skipBrackets();
      else if (char === '(' && closer === ')') this.skipTo(')');
    }
  }

  skipLinesTo(end: string): void {
    while (!this.isAtEnd) {
      const next = this.script.indexOf('\n', this.at);
      const line = this.script.slice(this.at, next === -1 ? undefined : next);
      this.at = next === -1 ? this.script.length : next + 1;
      if (line.replace(/^\t+/, '') === end) return;
    }
  }
}

const unescaped = (raw: string): string =>
  raw.startsWith('"') ? raw.replaceAll(/^"|"$/g, '').replaceAll(/\\(["\\$`\n])/g, '$1') : raw.replace(/^\\\n?/, '');
