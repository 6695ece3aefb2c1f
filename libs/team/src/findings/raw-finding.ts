import { type FindingRelation, type Priority, RELATIONS } from '#contracts';
import { LONGEST } from '../bounds.js';
import { cleanLine, cleanText } from '../clean-text.js';
import { placeOf } from './place.js';

/** A finding as one reviewer has it, before it is merged with those of the others. */
export interface RawFinding {
  readonly priority: Priority;
  /** Absent in reviews that an older release stored: these count as `aside`. */
  readonly relation?: FindingRelation;
  readonly title: string;
  readonly body: string;
  readonly file: string | null;
  readonly line: number | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Where a reviewer does not say how sure it is. */
const UNSAID = 0.5;
const MOST_LINES = 10_000_000;

/** Null for anything that is no finding; a place that is none is left out. Never throws. */
export function rawFinding(entry: unknown): RawFinding | null {
  const priority = priorityOf(member(entry, 'priority'));
  if (priority === null) return null;
  const body = cleanText(textOf(member(entry, 'body')), LONGEST.body);
  const title = cleanLine(textOf(member(entry, 'title')), LONGEST.title) || cleanLine(body, LONGEST.title);
  if (title === '') return null;
  const place = placeOf(textOf(member(entry, 'file')));
  const file = place?.file ?? null;
  const line = file === null ? null : (lineOf(member(entry, 'line')) ?? place?.line ?? null);
  const relation = relationOf(member(entry, 'relation'));
  return { priority, relation, title, body, file, line, confidence: confidenceOf(member(entry, 'confidence')) };
}

/** What an object of somebody else's holds itself; never what it inherits. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function priorityOf(value: unknown): Priority | null {
  const match = /^\s{0,9}p([012])\b/i.exec(textOf(value));
  return match ? (`P${match[1] ?? ''}` as Priority) : null;
}

/** `aside` for everything that is no relation. */
function relationOf(value: unknown): FindingRelation {
  const word = textOf(value)
    .slice(0, 40)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  return RELATIONS.find((relation) => relation === word) ?? 'aside';
}

/** The first in the order of `RELATIONS` that one of the findings has. */
export const strongestRelation = (findings: readonly Pick<RawFinding, 'relation'>[]): FindingRelation =>
  RELATIONS.find((relation) => findings.some((finding) => finding.relation === relation)) ?? 'aside';

function lineOf(value: unknown): number | null {
  const line = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value;
  return typeof line === 'number' && Number.isInteger(line) && line >= 1 && line <= MOST_LINES ? line : null;
}

function confidenceOf(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return UNSAID;
  // Some say it in percent, whatever they were asked for.
  const share = value > 1 && value <= 100 ? value / 100 : value;
  return Math.min(1, Math.max(0, share));
}

/** Most urgent first, then most certain. */
export const byUrgency = (one: RawFinding, other: RawFinding): number =>
  compare(one.priority, other.priority) || other.confidence - one.confidence;

/** By code units: the same on every machine, whatever its language. */
export const compare = <T extends string | number>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;
