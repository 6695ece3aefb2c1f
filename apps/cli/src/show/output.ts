import { cleanText, jsonText } from './clean.js';
import { rendered } from './style.js';

/** Takes whole lines. */
type Sink = (line: string) => void;

export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
}

/** Marks of styles stay: whoever puts a line together has cleaned what came from outside. */
const OBEYED = /[^\P{Cc}\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What the command line says: results on standard output, everything about them on standard error. */
export class Output {
  constructor(
    private readonly streams: Streams,
    /** Results are JSON: one document, or of what goes on one per line. */
    readonly isJson: boolean,
    /** Colours are wanted where there is a terminal. */
    private readonly mayColor: boolean,
  ) {}

  /** Each text is one line, whatever is in it: nobody's words can look like a line of ours. */
  lines(...lines: readonly string[]): void {
    for (const line of lines) this.streams.out(rendered(asLine(line), this.mayColor && this.streams.isTerminal));
  }

  /** Text of somebody else as it is, line by line, with nothing in it that a terminal obeys. */
  text(text: string): void {
    for (const line of cleanText(text).replace(/\n$/, '').split('\n')) this.streams.out(line);
  }

  /** About the results; also where they are JSON. */
  note(...lines: readonly string[]): void {
    for (const line of lines) this.streams.err(rendered(asLine(line), false));
  }

  /** One result of many, on a line of its own. */
  jsonLine(value: unknown): void {
    this.streams.out(jsonText(value));
  }

  json(value: unknown): void {
    this.streams.out(jsonText(value, 2));
  }
}

const asLine = (line: string): string => line.replaceAll(/[\n\u2028\u2029]/g, ' ').replaceAll(OBEYED, '');
