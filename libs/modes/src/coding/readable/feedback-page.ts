import { fenced, section } from '../../shared/page-parts.js';

/** PLAN-FEEDBACK.md: what people said about each plan. */
export const feedbackPage = (all: readonly string[]): string =>
  `${['# Feedback on the plan', ...all.flatMap((text, nth) => section(String(nth + 1), fenced(text)))].join('\n')}\n`;
