import { fit, placesOf, type Point, pointOf, tellingWords, type Voice } from './points.js';
import { compare } from './raw-finding.js';

/** A voice is compared with so many points at most: ten thousand findings of the same words must not cost a square. */
const MOST_COMPARED = 100;
const ANY_FILE = '*';
const NO_FILE = '';

/** The points made so far, found again by the rarest words of their titles and by their places. */
export class PointIndex {
  readonly points: Point[] = [];
  private readonly buckets = new Map<string, Point[]>();
  private readonly commonness = new Map<string, number>();

  /** Voices in the order in which they are to be heard. */
  constructor(voices: readonly Voice[]) {
    const all = voices.map(pointOf);
    for (const { titleWords } of all) {
      for (const word of titleWords) this.commonness.set(word, this.countOf(word) + 1);
    }
    for (const one of all) this.hear(one);
  }

  private hear(one: Point): void {
    const [voice] = one.voices;
    if (!voice) return;
    const words = tellingWords([...one.titleWords].sort((a, b) => this.countOf(a) - this.countOf(b) || compare(a, b)));
    const point = this.fitting(one, voice, words);
    if (point) this.join(point, voice);
    else this.open(one, words);
  }

  private countOf(word: string): number {
    return this.commonness.get(word) ?? 0;
  }

  private fitting(one: Point, { agent }: Voice, words: readonly string[]): Point | null {
    // What has no file may be about any.
    const files = one.file === null ? [ANY_FILE] : [one.file, NO_FILE];
    const keys = [...placesOf(one, 1), ...words.flatMap((word) => files.map((file) => wordKey(word, file)))];
    const seen = new Set<Point>();
    let [best, bestFit]: [Point | null, number] = [null, 0];
    for (const point of keys.flatMap((key) => this.buckets.get(key)?.slice(0, MOST_COMPARED) ?? [])) {
      if (seen.has(point)) continue;
      if (seen.size === MOST_COMPARED) break;
      seen.add(point);
      const how = fit(point, one, agent);
      if (how > bestFit) [best, bestFit] = [point, how];
    }
    return best;
  }

  private open(point: Point, words: readonly string[]): void {
    this.points.push(point);
    const files = [ANY_FILE, point.file ?? NO_FILE];
    const keys = words.flatMap((word) => files.map((file) => wordKey(word, file)));
    for (const key of [...keys, ...placesOf(point, 0)]) this.put(key, point);
  }

  /** A point without a place takes the first that somebody knows, and is then about no other file. */
  private join(point: Point, voice: Voice): void {
    point.voices.push(voice);
    if (point.line !== null || voice.line === null) {
      point.file ??= voice.file;
      return;
    }
    [point.file, point.line] = [voice.file, voice.line];
    for (const key of placesOf(point, 0)) this.put(key, point);
  }

  private put(key: string, point: Point): void {
    const bucket = this.buckets.get(key);
    if (bucket) bucket.push(point);
    else this.buckets.set(key, [point]);
  }
}

/** No word holds a line break. */
const wordKey = (word: string, file: string): string => `${word}\n${file}`;
