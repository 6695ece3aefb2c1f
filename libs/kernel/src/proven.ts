/** What is known of a result. Machines keep the first two under these names in their contexts. */
export interface ResultFacts {
  /** What the last proof said. */
  readonly isProven: unknown;
  /** False if a person left something out of its acceptance. */
  readonly isWhollyAccepted?: unknown;
  readonly isSimulated: boolean;
  readonly isCompleted: boolean;
}

/**
 * Whether a result is proven; null until it is judged. Whatever shows this to a person or a program asks here, so that
 * two of them never contradict each other. With a simulated model neither `yes` nor `no` would be true.
 */
export function provenOf({
  isProven,
  isWhollyAccepted,
  isSimulated,
  isCompleted,
}: ResultFacts): 'yes' | 'no' | 'simulated' | null {
  const isJudged = typeof isProven === 'boolean';
  if (isSimulated) return isJudged || isCompleted ? 'simulated' : null;
  if (!isJudged) return null;
  return isProven === true && isWhollyAccepted !== false ? 'yes' : 'no';
}
