import { type Decision, decisionsOf } from '#engine';
import type { JsonObject } from '#kernel';

/** decisions.log: one line per decision, time first. Empty where nobody was asked. */
export const decisionsLog = (context: JsonObject): string => decisionsOf(context).map(lineOf).join('');

/** What a person writes may hold line breaks; a decision is one line. */
function lineOf({ at, gate, decision, feedback = '' }: Decision): string {
  const words = feedback.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return `${at} a person decided ${decision} at ${gate}${words === '' ? '' : `: ${words}`}\n`;
}
