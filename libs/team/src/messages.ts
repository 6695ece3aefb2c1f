import type { TeamMessage } from '#contracts';
import { LONGEST, MOST_MESSAGES } from './bounds.js';
import { cleanText } from './clean-text.js';

/** Who speaks for the service within a team. */
export const LEAD = 'lead';

export type NewMessage = Omit<TeamMessage, 'seq'>;

/** The oldest are dropped where there are too many; the numbers go on. */
export function say(messages: readonly TeamMessage[], message: NewMessage): readonly TeamMessage[] {
  const said = { ...message, seq: (messages.at(-1)?.seq ?? 0) + 1, text: cleanText(message.text, LONGEST.message) };
  return [...messages, said].slice(-MOST_MESSAGES);
}
