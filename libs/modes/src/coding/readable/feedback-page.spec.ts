import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headingsOf, hostileText } from '../../shared/markdown.fixture.js';
import { feedbackPage } from './feedback-page.js';

it('PLAN-FEEDBACK.md has what people said, numbered, each as text', () => {
  expect(feedbackPage(['Smaller.\n# No heading', 'Better.'])).toBe(
    '# Feedback on the plan\n\n## 1\n\n    Smaller.\n    # No heading\n\n## 2\n\n    Better.\n',
  );
  fc.assert(fc.property(hostileText, (text) => headingsOf(feedbackPage([`a${text}`])).length === 2));
});
