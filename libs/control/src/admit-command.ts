import {
  type Command, commanded, COMMANDS, foreseen, type Guards, hasEnded, type Machine, type PrincipalKind, type Signal,
  type Snapshot, statusOf,
} from '#engine'; // prettier-ignore
import { secrets } from '#kernel';

/** A project as a command finds it: where it stands, and what waits to be applied before the command would be. */
export interface Standing {
  readonly machine: Machine;
  readonly guards: Guards;
  readonly snapshot: Snapshot;
  readonly inbox: readonly Signal[];
}

export type Admission =
  /** `visit` is that of the step its sender sees. */
  | { readonly kind: 'permitted'; readonly state: string; readonly visit: number }
  | {
      readonly kind: 'refused';
      /** Whether a person could give it now, or nobody. */
      readonly code: 'HUMAN_REQUIRED' | 'COMMAND_NOT_ALLOWED';
      readonly state: string;
      readonly why: string;
      readonly allowed: readonly Command[];
    };

/** Whether this principal may give this command now, with what it was told before and has not obeyed yet. */
export function admitCommand(standing: Standing, command: Command, by: PrincipalKind): Admission {
  const { state, visit } = standing.snapshot;
  const verdict = judged(standing, command, by);
  if (verdict.kind !== 'refused') return { kind: 'permitted', state, visit };
  const isForPeople = judged(standing, command, 'human').kind !== 'refused';
  const code = isForPeople ? 'HUMAN_REQUIRED' : 'COMMAND_NOT_ALLOWED';
  return {
    kind: 'refused',
    code,
    state,
    why: reasonOf(standing, command, isForPeople, verdict.note),
    allowed: allowedNow(standing, by),
  };
}

/** Of a project that nobody can drive until a person restores it: a question is answered, all else refused for that. */
export function admitUndriven(command: Command, state: string, why: string): Admission {
  if (command === 'STATUS') return { kind: 'permitted', state, visit: 0 };
  return { kind: 'refused', code: 'COMMAND_NOT_ALLOWED', state, why, allowed: ['STATUS'] };
}

export const allowedNow = (standing: Standing, by: PrincipalKind): readonly Command[] =>
  COMMANDS.filter((command) => judged(standing, command, by).kind !== 'refused');

/**
 * PAUSE, RESUME and ABORT are judged as the project will be when they come to be applied. SKIP, ESCALATE and RETRY mean
 * the step that their sender sees: a second SKIP of it is taken, and noted as meant for a step that has ended.
 */
function judged({ machine, guards, snapshot, inbox }: Standing, command: Command, by: PrincipalKind) {
  const soon = foreseen(machine, snapshot, inbox, guards);
  const isOfStep = command === 'SKIP' || command === 'ESCALATE' || command === 'RETRY';
  const isSameStep = soon.visit === snapshot.visit || soon.aborting;
  const at = isOfStep && !isSameStep ? { ...snapshot, paused: soon.paused } : soon;
  return commanded(machine, at, command, by, guards);
}

function reasonOf({ machine, snapshot }: Standing, command: Command, isForPeople: boolean, note: string): string {
  const status = statusOf(machine, snapshot);
  if (hasEnded(status)) return `the project has ended, it is ${status}: nothing can be commanded any more but STATUS`;
  if (isForPeople) return `${command} in ${snapshot.state} needs a human principal`;
  // What it is blocked by says what to do first, such as to raise a budget.
  const { why } = snapshot.context;
  return status === 'blocked' && typeof why === 'string' ? `${note} (${told(why)})` : note;
}

const LONGEST_WHY = 300;

/** Cut after it was redacted: half a secret is known for none. */
const told = (why: string): string => secrets.redact(why).replaceAll(/\s+/g, ' ').slice(0, LONGEST_WHY);
