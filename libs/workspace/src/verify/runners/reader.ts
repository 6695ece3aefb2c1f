export interface Counted {
  readonly passed: number;
  readonly failed: number;
  /** Skipped, ignored, pending, to do, expected to fail: none of them speaks for the code. */
  readonly skipped: number;
  /** True where the runner does not say how many tests there were: there were at least so many. */
  readonly isMinimum?: boolean;
  /** Files that ended well with no test in them, where the runner counts such a file as a test. */
  readonly emptyFiles?: readonly string[];
}

/** Listens to an output line by line for one runner's summaries. */
export interface CountReader {
  readonly runner: string;
  read(line: string): void;
  /** Null: this runner was not there. */
  counted(): Counted | null;
}

/** Adds up what the summaries say, by the word that stands beside each number. */
export class Tally implements CountReader {
  private found: { passed: number; failed: number; skipped: number } | null = null;

  constructor(
    readonly runner: string,
    private readonly words: Readonly<Record<string, keyof Counted & ('passed' | 'failed' | 'skipped')>>,
    private readonly summary: (line: string, tally: Tally) => void,
  ) {}

  read(line: string): void {
    this.summary(line, this);
  }

  /** A summary was seen, even if it counts nothing. */
  open(): void {
    this.found ??= { passed: 0, failed: 0, skipped: 0 };
  }

  add(number: string, word: string): void {
    this.open();
    const what = Object.hasOwn(this.words, word) ? this.words[word] : undefined;
    const count = Number(number);
    if (this.found && what && Number.isSafeInteger(count)) this.found[what] += count;
  }

  /** All of `12 passed`, `1 failed`… in a text. */
  addAll(text: string): void {
    this.open();
    for (const [, number, word] of text.matchAll(/(\d{1,9}) ([a-z]{1,20})/g)) this.add(number ?? '0', word ?? '');
  }

  counted(): Counted | null {
    return this.found;
  }
}
