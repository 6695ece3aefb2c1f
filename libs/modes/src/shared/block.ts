import type { JsonObject } from '#kernel';
import type { Breaker } from '#models';

export interface Block {
  /** Decides how the block may be left. */
  readonly cause: string;
  /** One line: what a title or a list takes, and the first line of the screen. */
  readonly message: string;
  readonly code?: string;
  /** Of the agent that stopped. */
  readonly role?: string;
  readonly output?: string;
}

/** What a person reads first if a cap is in the way. */
export function overBudget(breaker: JsonObject): string {
  const { name, cap, used, wanted } = breaker as unknown as Breaker;
  const unit = name === 'usd' ? 'USD' : name;
  return [
    `The budget is too small: ${used} of ${cap} ${unit} are used, and the next model call may need up to ${wanted} ${unit}.`,
    'The call was not sent.',
  ].join(' ');
}

const causeOf = (context: Readonly<Record<string, unknown>>): unknown =>
  (context['block'] as { readonly cause?: unknown } | null | undefined)?.cause;

/** The same cap would trip again at once: such a block is left by raising it. */
export const blockGuards = {
  'cause-is-the-budget': (context: Readonly<Record<string, unknown>>): boolean => causeOf(context) === 'budget',
  'cause-is-not-the-budget': (context: Readonly<Record<string, unknown>>): boolean => causeOf(context) !== 'budget',
};
