import type { Redactor } from '#kernel';
import { outputSchema } from '#models';
import type { AgentTask } from '../agent.port.js';
import { cleanText } from '../api/bounded-text.js';

/** What a CLI is asked; it has no other way to learn of the form that its last message has to have. */
export function promptOf({ prompt, output }: AgentTask, redactor: Redactor): string {
  const asked = cleanText(prompt, redactor);
  if (!output) return `${asked}\n`;
  const schema = JSON.stringify(outputSchema(output.type).schema);
  return `${asked}\n\nYour last message has to be JSON, and nothing else, that fits this JSON schema:\n${schema}\n`;
}

/** For a run that goes on where one before it had to wait for a provider. */
export const resumed = (prompt: string): string =>
  `${prompt}\n\nYou have begun this before and were cut off. What you did is in the files: look at them, and go on from there.`;

/** A run whose output had another shape than was asked for. */
export type Mending = { readonly kind: 'mend'; readonly said: string; readonly problem: string };

/** Of a last message that has to be said again. */
export const LONGEST_SAID = 50_000;

/** For the one run that may mend it: nothing of the first but this is known to it. */
export const mended = (prompt: string, { said, problem }: Mending): string =>
  `${prompt}\n\nYou have done this before. Your last message was:\n\n${said}\n\nIt does not have the form that is asked for: ${problem}\nSay the same again in that form; everything else is done.`;
