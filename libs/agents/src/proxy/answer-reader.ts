import { newReading, type Reading, type Wire } from './wire.js';

const NEWLINE = 0x0a;
/** The last event of a response carries all of its output once more. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** What comes byte by byte must not take a hundred times its size. */
const MOST_PARTS = 512;
const DATA = Buffer.from('data:');
/** Other events say nothing about the call; parsing each of them would cost more than passing it on. */
const TELLING = ['"usage"', '"error"', '"response.failed"'];
/** What only the last events of an answer say. A text cannot: its quotes are escaped. */
const ENDING = [
  '"message_stop"',
  '"response.completed"',
  '"response.incomplete"',
  '"finish_reason":"',
  '"finish_reason": "',
];
/** How a stream of completions says that it has ended. */
const LONGEST_DONE = 20;
const DONE = /^data: ?\[DONE\]\s*$/;

/** Reads what passes by, and keeps none of it longer than it must. */
export class AnswerReader {
  readonly reading: Reading = newReading();
  private parts: Buffer[] = [];
  /** Earlier parts of the line, put together. */
  private blocks: Buffer[] = [];
  private size = 0;
  private isTooLong = false;

  constructor(
    private readonly wire: Wire,
    private readonly isStream: boolean,
  ) {}

  take(chunk: Buffer): void {
    if (!this.isStream) return this.keep(chunk);
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(NEWLINE, from);
      if (at < 0) break;
      this.keep(chunk.subarray(from, at));
      this.line();
      from = at + 1;
    }
    if (from < chunk.length) this.keep(chunk.subarray(from));
  }

  end(): Reading {
    this.line();
    return this.reading;
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.size > LONGEST_LINE) {
      this.isTooLong = true;
      this.parts = [];
      this.blocks = [];
      return;
    }
    this.parts.push(part);
    if (this.parts.length < MOST_PARTS) return;
    this.blocks.push(Buffer.concat(this.parts));
    this.parts = [];
  }

  private line(): void {
    const { isTooLong } = this;
    const parts = this.blocks.length === 0 ? this.parts : [...this.blocks, ...this.parts];
    this.parts = [];
    this.blocks = [];
    this.size = 0;
    this.isTooLong = false;
    const [first] = parts;
    // Nobody read whether that was the end: it is not held against the provider.
    this.reading.hasEnded ||= isTooLong;
    if (isTooLong || first === undefined) return;
    const line = parts.length === 1 ? first : Buffer.concat(parts);
    if (!this.isStream) return this.read(line.toString('utf8'));
    if (!line.subarray(0, DATA.length).equals(DATA)) return;
    // What was used so far is what was used in all.
    if (line.length < LONGEST_DONE && DONE.test(line.toString('latin1'))) {
      this.reading.isWhole = this.reading.usage !== null;
      this.reading.hasEnded = true;
    }
    this.reading.hasEnded ||= ENDING.some((word) => line.includes(word));
    if (TELLING.some((word) => line.includes(word))) this.read(line.toString('utf8', DATA.length));
  }

  private read(text: string): void {
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      // What is no JSON says nothing about the call: its end stays unknown, and is counted so.
      return;
    }
    // What is no stream came whole, or it would be no JSON.
    if (!this.isStream) this.reading.hasEnded = true;
    this.wire.read(data, this.reading);
  }
}
