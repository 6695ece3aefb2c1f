import type { ChildResult } from '#engine';
import { LEFT_NOTHING } from '#team';
import type { Review } from './review.js';

const nothing = (agent: string): Review => ({
  agent,
  status: 'lost',
  health: 'missing',
  summary: '',
  findings: [],
  notes: [],
  why: LEFT_NOTHING,
  partial: '',
  isSimulated: false,
});

/** What the project of a reviewer left. */
export const reviewOf = ({ key, result }: ChildResult): Review => (result as unknown as Review | null) ?? nothing(key);

export const skippedReview = (agent: string, why: string): Review => ({ ...nothing(agent), status: 'skipped', why });
