import type { JsonObject } from '#kernel';

const NEWLINE = 0x0a;
const LONGEST_LINE = 8 * 1024 * 1024;

/** One line as it was printed, cut where it is too long; and as an event, where it is one. */
export type OnLine = (line: string, event: JsonObject | null) => void;

/** Cuts what a program prints into lines. Nothing is assumed: rubbish, half characters and endless lines are lines too. */
export class JsonLines {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(private readonly onLine: OnLine) {}

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.keep(chunk.subarray(from, at));
      this.flush();
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
  }

  /** What came without an end of line is a line too. */
  end(): void {
    this.flush();
  }

  private keep(part: Buffer): void {
    const room = LONGEST_LINE - Math.min(this.size, LONGEST_LINE);
    if (room > 0 && part.length > 0) this.parts.push(part.subarray(0, room));
    this.size += part.length;
  }

  private flush(): void {
    const isWhole = this.size <= LONGEST_LINE;
    const line = Buffer.concat(this.parts).toString('utf8').replace(/\r$/, '');
    this.parts = [];
    this.size = 0;
    if (line.trim() !== '') this.onLine(line, isWhole ? eventOf(line) : null);
  }
}

function eventOf(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    // Programs print all sorts of things beside their events; the line itself is kept.
    return null;
  }
}
