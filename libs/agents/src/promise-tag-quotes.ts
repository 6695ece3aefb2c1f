const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BLOCK_QUOTE = /^ {0,3}>/;
/** Four spaces or a tab make a code block. */
const INDENTED = /^(?: {4}| {0,3}\t)/;
const CODE_SPAN = /`[^`]*`/g;
const ELEMENT = /<(\/?)([a-z][\w-]*)(?=[\s/>]|$)([^<>]*)(?:>|$)/gi;
/** Elements whose text is not the writer's own. Of others nobody could tell them from types: Promise<void>. */
const QUOTING: ReadonlySet<string> = new Set([
  ...['pre', 'code', 'blockquote', 'q', 'cite', 'samp', 'kbd', 'tt', 'xmp', 'details', 'template', 'textarea'],
  ...['script', 'style', 'del', 's', 'strike', 'quote', 'example', 'prompt', 'document', 'instructions'],
]);
const MARKS = /["“”„«»]/g;
/** A quote that begins with the next line. A single mark elsewhere may be an apostrophe. */
const OPENS_NEXT = /(?:^|[\s:(])(?:['‘]|''')$/;

/** Which lines are the writer's own words; the others are quoted: code, quotations, comments. */
export function ownLines(lines: readonly string[]): boolean[] {
  const scan = new QuoteScan();
  return lines.map((line) => scan.isOwn(line));
}

/** Reads lines one after the other. What nobody closed goes on to the end, except where an empty line ends it. */
class QuoteScan {
  private fence: string | null = null;
  private isComment = false;
  private isBlockQuote = false;
  private isStruck = false;
  private ticks = 0;
  private marks = new Quotation();
  private readonly elements = new Map<string, number>();
  /** Of all names together. */
  private open = 0;

  isOwn(line: string): boolean {
    if (this.isFenced(line)) return false;
    if (line.trim() === '') {
      this.isBlockQuote = false;
      this.ticks = 0;
      return true;
    }
    // A paragraph that begins in a quote stays in it up to the next empty line.
    this.isBlockQuote ||= BLOCK_QUOTE.test(line);
    const isInside = this.isComment || this.isStruck || this.ticks % 2 === 1 || this.marks.isOpen || this.open > 0;
    this.isComment = isCommentAfter(line, this.isComment);
    const isOwn = !isInside && !this.isBlockQuote && !this.isComment && !INDENTED.test(line);
    this.ticks += (line.match(/`+/g) ?? []).length;
    if (!this.isComment && !INDENTED.test(line)) this.readMarks(line.replace(CODE_SPAN, ''));
    return isOwn;
  }

  private isFenced(line: string): boolean {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (this.fence !== null) {
      if (mark?.startsWith(this.fence) && line.trim() === mark) this.fence = null;
      return true;
    }
    if (mark === null) return false;
    this.fence = mark;
    this.ticks = 0;
    return true;
  }

  private readMarks(line: string): void {
    for (const [all, closes, name = '', rest = ''] of line.matchAll(ELEMENT)) {
      const kind = name.toLowerCase();
      const open = this.elements.get(kind) ?? 0;
      const isAlone = line.trim() === all && kind !== 'br' && kind !== 'hr';
      const isOpening = !closes && (QUOTING.has(kind) || isAlone) && !rest.endsWith('/');
      const change = isOpening ? 1 : closes && open > 0 ? -1 : 0;
      this.elements.set(kind, open + change);
      this.open += change;
    }
    if ((line.split('~~').length - 1) % 2 === 1) this.isStruck = !this.isStruck;
    this.marks.read(line.replace(ELEMENT, ''));
  }
}

/** Words between quotation marks, over as many lines as they take. */
class Quotation {
  private isStraight = false;
  private isSingle = false;
  private isLow = false;
  private depth = 0;

  get isOpen(): boolean {
    return this.isStraight || this.isSingle || this.isLow || this.depth > 0;
  }

  read(line: string): void {
    const words = line.trim();
    if (this.isSingle && /^['’]/.test(words)) this.isSingle = false;
    else this.isSingle ||= OPENS_NEXT.test(words);
    for (const [mark] of line.matchAll(MARKS)) {
      if (mark === '"') this.isStraight = !this.isStraight;
      else if (mark === '„') this.isLow = true;
      else if (mark === '“' && this.isLow) this.isLow = false;
      else if (mark === '“' || mark === '«') this.depth += 1;
      else this.depth = Math.max(0, this.depth - 1);
    }
  }
}

function isCommentAfter(line: string, isComment: boolean): boolean {
  const opened = line.lastIndexOf('<!--');
  const closed = line.lastIndexOf('-->');
  return opened > closed ? true : closed >= 0 ? false : isComment;
}
