import { LONGEST } from '../bounds.js';
import { placeIn } from '../findings/place.js';

/** A point of a review in prose: its first line, and those that belong to it. */
export interface Draft {
  readonly priority: string;
  readonly lines: string[];
  readonly indent: number;
}

const BOLD = /^\*\*((?:[^*\\]|\\.){1,400})\*\*[\s:.–—-]{0,5}(.*)$/;
/** A sign that markdown is told to take as it is. */
const ESCAPED = /\\([\\`*[\]<>|#~])/g;
const CONFIDENCE = /\bconfidence:?\s{1,3}([01](?:\.\d{1,4})?)\b/i;

/** As the pages of agents have it, in front of the confidence: anywhere else these are ordinary words. */
const RELATION = /\b(is-request|before|after|aside), confidence\b/i;

/** The title is what is set in bold, or stands before a dash; else it is the first line. */
export function entryOf({ priority, lines: [whole = '', ...rest] }: Draft): unknown {
  const first = whole.slice(0, LONGEST.body);
  const bold = BOLD.exec(first);
  const [title = '', ...after] = bold ? [bold[1] ?? '', bold[2] ?? ''] : first.split(/\s[–—-]\s/);
  const body = [after.join(' – '), ...rest].join('\n').slice(0, 4 * LONGEST.body);
  const place = placeIn(first) ?? placeIn(body);
  const confidence = CONFIDENCE.exec(first)?.[1] ?? CONFIDENCE.exec(body)?.[1];
  const relation = RELATION.exec(first)?.[1] ?? RELATION.exec(body)?.[1];
  return {
    priority,
    relation,
    title: title.replaceAll('**', '').replaceAll(ESCAPED, '$1'),
    body,
    file: place?.file,
    line: place?.line,
    confidence: confidence === undefined ? undefined : Number(confidence),
  };
}
