import { healthOf, readReview } from '#team';
import type { Review } from './review.js';

/**
 * A lost review whose partial output is used: the findings that can be read from what the reviewer said until it ended.
 * The review stays lost if it said nothing about what it was given.
 */
export function partialReview(lost: Review, given: readonly string[]): Review {
  const text = lost.partial;
  const health = healthOf({ bytes: Buffer.byteLength(text), isPastTimeout: false, text, given });
  return health === 'good' ? { ...lost, ...readReview(null, text), status: 'partial', health } : lost;
}
