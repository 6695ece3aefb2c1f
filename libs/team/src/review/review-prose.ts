import { contentWords } from '../words.js';
import { type Draft, entryOf } from './prose-entry.js';
import type { ReviewShape } from './review-json.js';

export interface Prose extends ReviewShape {
  /** Whether it speaks of priorities at all; without, nothing in it can be told to be a finding. */
  readonly hasPriorities: boolean;
}

/** Each of these matches a line to its end, or not at all: none goes back over it. */
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const BULLET = /^( {0,9})(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/;
const MARKED = /^[*_[(`]{0,3}(p[012])(?:[*_`]{0,3}[\])][*_`]{0,3}\s*[:–—-]?|[*_`]{0,3}\s?[:–—-][*_`]{0,3})\s*(\S.*)?$/i;
const TITLED = /^[*_[(`]{0,3}(p[012])\b(.*)$/i;
const FENCE = /^ {0,3}(?:```|~~~)/;
const NOTHING =
  /^[*_(]{0,3}(?:none|nothing|n\/a|no (?:findings|issues|problems))(?: (?:found|here|noted))?[.!*_)]{0,5}$/i;

/** What stands beside a priority in the heading of a list, and is no point of its own. */
const LABELS = contentWords(
  'critical blocker blocking high medium low major minor fix fixed consider important urgent nice finding issue problem ' +
    'priority severity none nothing found',
);
const isLabel = (text: string): boolean =>
  [...contentWords(text.slice(0, 200))].every((word) => LABELS.has(word) || /^\d+$/.test(word));

/** Headings of priorities with bullets below them, and lines such as `P1: title`, wherever they stand. */
export function reviewProse(text: string): Prose {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const fenced = fencedLines(lines);
  const reader = new ProseReader();
  lines.forEach((line, index) => (fenced.has(index) ? reader.keep(line) : reader.read(line)));
  const { drafts, summary, hasPriorities } = reader;
  return { summary: summary.join('\n'), findings: drafts.map(entryOf), hasPriorities };
}

/** Reads line by line. Within a section every point is of its priority; an open draft takes the lines that follow it. */
class ProseReader {
  readonly drafts: Draft[] = [];
  readonly summary: string[] = [];
  hasPriorities = false;
  private section: { readonly priority: string; readonly level: number } | null = null;
  private open: Draft | null = null;

  keep(line: string): void {
    (this.open?.lines ?? this.summary).push(line);
  }

  read(line: string): void {
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) this.readHeading(title, marks.length);
    else this.readLine(line);
  }

  private readHeading(title: string, level: number): void {
    const [, priority, rest = ''] = TITLED.exec(title) ?? [];
    if (priority !== undefined && isLabel(rest)) this.enter(priority, level);
    else if (priority !== undefined) this.begin(priority, MARKED.exec(title)?.[2] ?? rest, 0);
    else if (this.section && level > this.section.level) this.begin(this.section.priority, title, 0);
    else [this.section, this.open] = [null, null];
  }

  private readLine(line: string): void {
    const bullet = BULLET.exec(line);
    const indent = bullet?.[1]?.length ?? line.length - line.trimStart().length;
    const said = bullet?.[2] ?? line.trim();
    // What is indented further than a point is about this point.
    const isInner = indent > 3 || (this.open !== null && indent > this.open.indent);
    const [isMarked, priority = '', title] = (isInner ? null : MARKED.exec(said)) ?? [];
    if (isMarked !== undefined && title === undefined) this.enter(priority, 7);
    else if (title !== undefined) this.begin(priority, title, indent);
    else if (this.section && !isInner && (bullet || (!this.open && isPoint(said)))) {
      this.begin(this.section.priority, said, indent);
    } else this.keep(line);
  }

  private enter(priority: string, level: number): void {
    [this.section, this.open, this.hasPriorities] = [{ priority, level }, null, true];
  }

  private begin(priority: string, title: string, indent: number): void {
    this.hasPriorities = true;
    this.open = NOTHING.test(title.trim()) ? null : { priority, lines: [title], indent };
    if (this.open) this.drafts.push(this.open);
  }
}

/** A sentence of its own, not one that leads to a list. */
const isPoint = (said: string): boolean => said !== '' && !said.endsWith(':');

/** A fence that is never closed is none, and one around a whole page of markdown neither. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fences = lines.flatMap((line, at) => (FENCE.test(line) && !/(?:markdown|md)$/.test(line.trim()) ? [at] : []));
  const inside = new Set<number>();
  for (let pair = 0; pair + 1 < fences.length; pair += 2) {
    for (let at = fences[pair] ?? 0; at <= (fences[pair + 1] ?? 0); at += 1) inside.add(at);
  }
  return inside;
}
