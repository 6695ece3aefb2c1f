import { type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Breaker } from '#models';

export interface Block {
  /** Decides how the block may be left. */
  readonly cause: string;
  readonly message: string;
  readonly code?: string;
  readonly output?: string;
}

const LONGEST_MESSAGE = 2_000;
const LONGEST_OUTPUT = 4_000;

/** The project cannot go on by itself. `why` is what a person is shown at the gate: the end of an output says most. */
export function blocked(block: Block, patch: JsonObject = {}, event = 'work:blocked'): Report {
  const message = block.message.slice(0, LONGEST_MESSAGE);
  const why = block.output ? `${message}\n\n${block.output.slice(-LONGEST_OUTPUT)}` : message;
  return report(event, { ...patch, block: { ...block }, why }, { cause: block.cause, message });
}

export const blockedBySetup = (
  { reason, output }: { readonly reason: string; readonly output: string },
  patch: JsonObject = {},
): Report => blocked({ cause: 'setup', message: reason, output }, patch);

export function overBudget(breaker: JsonObject): string {
  const { name, cap, used, wanted } = breaker as unknown as Breaker;
  const unit = name === 'usd' ? 'USD' : name;
  return [
    `The budget is too small: ${used} of ${cap} ${unit} are used, and the next model call may need up to ${wanted} ${unit}.`,
    'The call was not sent. Likely best answer: raise the budget. The project then continues by itself.',
  ].join(' ');
}

const causeOf = (context: Readonly<Record<string, unknown>>): unknown =>
  (context['block'] as { readonly cause?: unknown } | null | undefined)?.cause;

/** The same cap would trip again at once: such a block is left by raising it. */
export const blockGuards = {
  'cause-is-the-budget': (context: Readonly<Record<string, unknown>>): boolean => causeOf(context) === 'budget',
  'cause-is-not-the-budget': (context: Readonly<Record<string, unknown>>): boolean => causeOf(context) !== 'budget',
};
