import { contentWords, likeness, sharedWords } from '../words.js';
import { gistOf } from './gist.js';
import type { RawFinding } from './raw-finding.js';

/** A finding with who found it. */
export interface Voice extends RawFinding {
  readonly agent: string;
}

/** One point, and everybody who made it. The first voice is the most urgent, and the one that others are compared with. */
export interface Point {
  readonly voices: Voice[];
  file: string | null;
  line: number | null;
  readonly titleWords: ReadonlySet<string>;
  readonly gist: ReadonlySet<string>;
}

const NEAR_LINES = 5;
/** Of all the words of two titles, how many they have to share. */
const ALIKE_TITLES = 0.7;
/**
 * Of the gist of the shorter of two findings about the same lines, how much the other has to share; and how many words
 * at least. One finding too many costs a task; of two points that are made one, the lesser is a remark that may be missed.
 */
const ALIKE_GISTS = 0.35;
const FEWEST_SHARED = 3;

/** What a voice would be as a point of its own. */
export function pointOf(voice: Voice): Point {
  return {
    voices: [voice],
    file: voice.file,
    line: voice.line,
    titleWords: wordsOf(voice.title),
    gist: gistOf(voice),
  };
}

/** A title of signs alone is its own only word. */
function wordsOf(title: string): ReadonlySet<string> {
  const words = contentWords(title);
  return words.size > 0 ? words : new Set([title.toLowerCase()]);
}

/** How well a voice fits a point; 0 where it means another one. */
export function fit(point: Point, voice: Point, agent: string): number {
  if (point.file !== null && voice.file !== null && point.file !== voice.file) return 0;
  const titles = likeness(point.titleWords, voice.titleWords);
  const isSame = point.voices.some((other) => other.agent === agent)
    ? // Whoever lists two things at two places means two things.
      titles === 1 && point.file === voice.file && point.line === voice.line
    : titles >= ALIKE_TITLES || (isNear(point, voice) && hasAlikeGist(point, voice));
  return isSame ? titles + likeness(point.gist, voice.gist) : 0;
}

function isNear(one: Point, other: Point): boolean {
  if (one.file === null || one.file !== other.file || one.line === null || other.line === null) return false;
  return Math.abs(one.line - other.line) <= NEAR_LINES;
}

function hasAlikeGist({ gist: some }: Point, { gist: others }: Point): boolean {
  const shared = sharedWords(some, others);
  return shared >= FEWEST_SHARED && shared / Math.min(some.size, others.size) >= ALIKE_GISTS;
}

/** Where to look for points at the same lines; lines that are near are in neighbouring places. */
export function placesOf({ file, line }: Point, reach: 0 | 1): readonly string[] {
  if (file === null || line === null) return [];
  const place = Math.floor(line / NEAR_LINES);
  const all = reach === 0 ? [place] : [place, place - 1, place + 1];
  return all.map((one) => `${String(one)}:${file}`);
}

/** The words of a title that an alike one must share one of, if the rarest come first. */
export function tellingWords(rarestFirst: readonly string[]): readonly string[] {
  const { length } = rarestFirst;
  return rarestFirst.slice(0, length - Math.ceil(ALIKE_TITLES * length) + 1);
}
