import { type JsonObject, UserError } from '#kernel';
import type { SaidDecision } from '../mode.js';

/** Of all that people say about the plans of a project a planner is told so many characters, and each of them. */
export const MOST_FEEDBACK = 100_000;

/** As the API takes it, with one decision. */
export const LONGEST_FEEDBACK = 20_000;

/** What is said at two gates may be told together. */
export const LONGEST_SAID = 2 * LONGEST_FEEDBACK + 1_000;
/** A title beside what a person may ask for in one go. */
export const LONGEST_TASK = LONGEST_FEEDBACK + 4_000;

/** Between two words of feedback in a prompt. */
const BETWEEN = '\n\n';

export const joinedFeedback = (all: readonly string[]): string => all.join(BETWEEN);

/** Whoever says more than a planner would be told hears of it at once: nothing is cut that nobody knows of. */
export function mustHaveRoom({ gate, feedback = '' }: SaidDecision, context: JsonObject): void {
  if (gate !== 'plan' || feedback === '') return;
  const before = (context['feedback'] as readonly string[] | undefined) ?? [];
  const used = before.reduce((sum, one) => sum + one.length + BETWEEN.length, 0);
  const left = Math.max(0, MOST_FEEDBACK - used);
  if (feedback.length <= left) return;
  throw new UserError(
    'FEEDBACK_TOO_LONG',
    `a planner is told all that was said about the plans so far, at most ${String(MOST_FEEDBACK)} characters, and ${String(used)} are said already: say it in at most ${String(left)}, or begin a new project whose request holds it all`,
    { left },
  );
}
