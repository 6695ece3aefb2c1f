import type { Command, NewEvent } from '#engine';
import type { Admission } from './admit-command.js';

/** Where commands come in. The CLI comes in by the API. */
export type Door = 'api' | 'file';

/** A command, and who gave it. */
export interface Given {
  readonly id: string;
  readonly command: Command;
  readonly door: Door;
  readonly by: 'human' | 'service';
  /** Of the API key it was given with; null for a file. */
  readonly key: string | null;
}

/** The event that tells of a command, be it taken or not. */
export function commandEvent({ id, command, door, by, key }: Given, admission: Admission): NewEvent {
  const { state } = admission;
  const data = { id, command, door, by, key, state };
  if (admission.kind === 'permitted') return { type: 'command.received', data };
  return { type: 'command.refused', data: { ...data, why: admission.why, allowed: [...admission.allowed] } };
}
