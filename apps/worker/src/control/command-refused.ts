import type { Admission, Door } from '#control';
import type { Command, NewEvent } from '#engine';
import { errorCode, UserError } from '#kernel';

/** `limited`: refused for its number alone, and told of nowhere else. */
export type CountsCommands = (door: Door, outcome: 'accepted' | 'refused' | 'limited') => void;

/** Too much at once: a refusal that leaves no event, or whoever sends too much would fill the history with those. */
export const isLimited = (error: unknown): boolean => ['STEERED_TOO_FAST', 'INBOX_FULL'].includes(errorCode(error));

/** A command that may not be given now, with the event that is to tell of it. */
export class CommandRefused extends UserError {
  constructor(
    command: Command,
    { code, why, allowed, state }: Extract<Admission, { kind: 'refused' }>,
    readonly event: NewEvent,
  ) {
    const words =
      code === 'HUMAN_REQUIRED'
        ? `${command} in ${state} needs the API key of a human principal`
        : `${command} is not taken: ${why}; allowed now: ${allowed.join(', ')}`;
    super(code, words, { allowed: [...allowed], state });
  }
}
