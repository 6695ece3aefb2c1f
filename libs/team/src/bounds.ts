/** Of one reviewer, most urgent first; the rest is counted. */
export const MOST_FINDINGS = 200;
/** Of a whole team, after merging. */
export const MOST_MERGED = 500;
export const MOST_MESSAGES = 500;

/** In characters. */
export const LONGEST = {
  title: 200,
  body: 4_000,
  path: 500,
  summary: 4_000,
  message: 4_000,
  /** Of what a reviewer wrote, as far as it is read. */
  review: 1_000_000,
} as const;
