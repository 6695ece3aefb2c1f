import { assertNever } from '#kernel';
import { type Guards, type Machine, TABLE_COMMANDS } from './machine.js';
import { hasEnded, type Snapshot, stateOf, statusOf } from './snapshot.js';
import { type PrincipalKind, type Transition, transition } from './transition.js';

export const COMMANDS = ['PAUSE', 'RESUME', 'SKIP', 'ABORT', 'STATUS', 'ESCALATE', 'RETRY'] as const;
export type Command = (typeof COMMANDS)[number];

export type CommandResult =
  | Extract<Transition, { kind: 'moved' }>
  | { readonly kind: 'changed'; readonly next: Snapshot }
  /** Obeyed, and nothing changed by it. */
  | { readonly kind: 'noted'; readonly note: string }
  | { readonly kind: 'refused'; readonly note: string };

export const isTableCommand = (command: Command): command is (typeof TABLE_COMMANDS)[number] =>
  TABLE_COMMANDS.some((one) => one === command);

/** What this principal may command now. Without guards, a guarded branch counts as open. */
export function allowedCommands(
  machine: Machine,
  snapshot: Snapshot,
  by: PrincipalKind = 'human',
  guards: Guards = openGuards(machine, snapshot),
): Command[] {
  return COMMANDS.filter((command) => commanded(machine, snapshot, command, by, guards).kind !== 'refused');
}

export function commanded(
  machine: Machine,
  snapshot: Snapshot,
  command: Command,
  by: PrincipalKind,
  guards: Guards,
): CommandResult {
  if (command === 'STATUS') return { kind: 'noted', note: 'status was asked for' };
  if (hasEnded(statusOf(machine, snapshot))) return { kind: 'refused', note: 'the project has ended' };
  switch (command) {
    case 'PAUSE':
      if (snapshot.paused) return refused(command, snapshot);
      if (stateOf(machine, snapshot)?.end) return refused(command, snapshot);
      return { kind: 'changed', next: { ...snapshot, paused: true } };
    case 'RESUME':
      // Allowed in a terminal state too: a project that was paused on its way there would never end.
      if (!snapshot.paused) return refused(command, snapshot);
      return { kind: 'changed', next: { ...snapshot, paused: false } };
    case 'ABORT':
      return byTable(machine, snapshot, command, by, guards);
    case 'SKIP':
    case 'ESCALATE':
    case 'RETRY':
      if (snapshot.paused) return refused(command, snapshot);
      if (command === 'RETRY' && snapshot.wait?.kind === 'step-failed') {
        return { kind: 'changed', next: { ...snapshot, wait: null } };
      }
      return byTable(machine, snapshot, command, by, guards);
    default:
      return assertNever(command);
  }
}

/** The context's `command` tells the next activity what became of the visit before it. */
function byTable(
  machine: Machine,
  snapshot: Snapshot,
  command: Command,
  by: PrincipalKind,
  guards: Guards,
): CommandResult {
  const patch = { command: { command, state: snapshot.state, visit: snapshot.visit } };
  const result = transition(machine, snapshot, { type: command, by, patch }, guards);
  return result.kind === 'moved' ? result : { kind: 'refused', note: result.message };
}

function refused(command: Command, snapshot: Snapshot): CommandResult {
  const pause = snapshot.paused ? ', which is paused,' : '';
  return { kind: 'refused', note: `${command} is not allowed in ${snapshot.state}${pause} now` };
}

function openGuards(machine: Machine, snapshot: Snapshot): Guards {
  const branches = Object.values(stateOf(machine, snapshot)?.on ?? {}).flat();
  return Object.fromEntries(branches.flatMap(({ when }) => (when === undefined ? [] : [[when, () => true]])));
}
