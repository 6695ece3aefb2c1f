import { describe, expect, it } from 'vitest';
import { reviewOf } from '../coding.fixture.js';
import { partialReview } from './partial-review.js';

const given = ['src/theme.css', 'Add dark mode'];
const lost = (partial: string) => reviewOf('sde-iii', { status: 'lost', health: 'stale', why: 'too late', partial });

describe('the partial output of a lost review', () => {
  it('is used with the findings that can be read from it, and is marked as partial', () => {
    const partial = 'I read src/theme.css.\n\n### P1\n- **No dark colours** (`src/theme.css:3`)\n';
    const review = partialReview(lost(partial), given);
    expect(review).toMatchObject({ status: 'partial', health: 'good', why: 'too late', partial });
    expect(review.findings.map(({ priority, title }) => [priority, title])).toEqual([['P1', 'No dark colours']]);
  });

  it('is used without findings if it has no priorities', () => {
    const review = partialReview(lost('I have read src/theme.css as far as its first line'), given);
    expect([review.status, review.findings]).toEqual(['partial', []]);
    expect(review.summary).toContain('src/theme.css');
  });

  it.each(['', '  ', 'All of it looks good to me.'])('is not used if it is %j', (partial) => {
    expect(partialReview(lost(partial), given)).toEqual(lost(partial));
  });
});
