import { LONGEST, MOST_FINDINGS } from '../bounds.js';
import { cleanText } from '../clean-text.js';
import { byUrgency, member, type RawFinding, rawFinding, textOf } from '../findings/raw-finding.js';
import { reviewJson, type ReviewShape, shapeOf } from './review-json.js';
import { reviewProse } from './review-prose.js';

export interface Review {
  readonly summary: string;
  /** Most urgent first, then most certain. */
  readonly findings: readonly RawFinding[];
  /** What could not be read, or was left out. */
  readonly notes: readonly string[];
}

/** Of prose without priorities: there may be findings in it, and nobody but a person can tell. */
export const UNTOLD = 'no findings could be told apart in what it wrote';

/**
 * What a reviewer handed in: its structured output, else JSON within its text, else its prose. Whatever is wrong with
 * an entry concerns this entry alone. Never throws.
 */
export function readReview(given: unknown, text: string): Review {
  const shape = shapeOf(given);
  if (shape) return reviewOf(shape, []);
  const said = [text, textOf(given), textOf(member(given, 'summary'))].find((one) => one.trim() !== '') ?? '';
  const read = said.slice(0, LONGEST.review);
  const notes = said.length > read.length ? ['what it wrote is too long: only its beginning was read'] : [];
  const json = reviewJson(read);
  const review = json && reviewOf(json, notes);
  if (review && review.findings.length > 0) return review;
  // A page may quote JSON that looks like an empty review: its own findings count for more.
  const prose = reviewProse(read);
  if (prose.hasPriorities && !(review && prose.findings.length === 0)) return reviewOf(prose, notes);
  if (review) return review;
  const why = read === '' ? 'nothing was handed in' : UNTOLD;
  return { summary: cleanText(read, LONGEST.summary), findings: [], notes: [...notes, why] };
}

function reviewOf({ summary, findings: entries }: ReviewShape, notes: readonly string[]): Review {
  const findings = entries.map(rawFinding).filter((finding) => finding !== null);
  const [bad, left] = [entries.length - findings.length, findings.length - MOST_FINDINGS];
  return {
    summary: cleanText(textOf(summary), LONGEST.summary),
    findings: findings.sort(byUrgency).slice(0, MOST_FINDINGS),
    notes: [
      ...notes,
      ...(bad > 0 ? [`entries that are no findings: ${String(bad)}`] : []),
      ...(left > 0 ? [`findings beyond the first ${String(MOST_FINDINGS)}, left out: ${String(left)}`] : []),
    ],
  };
}
