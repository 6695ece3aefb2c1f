import {
  allowedCommands,
  applySignal,
  type Guards,
  initialSnapshot,
  isWorkComplete,
  type Machine,
  type PrincipalKind,
  type Snapshot,
  statusOf,
  transition,
} from '#engine';
import type { Json } from '#kernel';

/** In these walks a guard holds when the context says so under the guard's own name. */
function guardsOf(machine: Machine): Guards {
  const branches = Object.values(machine.states).flatMap((state) => Object.values(state.on).flat());
  return Object.fromEntries(
    branches.flatMap(({ when }) => (when === undefined ? [] : [[when, (context) => context[when] === true]])),
  );
}

/** A project walked through its table by hand. */
export class Walk {
  readonly path: string[];

  constructor(
    private readonly machine: Machine,
    private snapshot: Snapshot,
  ) {
    this.path = [snapshot.state];
  }

  get state(): string {
    return this.snapshot.state;
  }

  get status(): string {
    return statusOf(this.machine, this.snapshot);
  }

  /** Whether the work was told to be complete. */
  get isComplete(): boolean {
    return isWorkComplete(this.snapshot);
  }

  get returnTo(): string | null {
    return this.snapshot.returnTo;
  }

  on(type: string, data: Record<string, Json> = {}, by: PrincipalKind = 'engine'): this {
    const result = transition(this.machine, this.snapshot, { type, by, data }, guardsOf(this.machine));
    if (result.kind === 'refused') throw new Error(result.message);
    this.snapshot = result.next;
    this.path.push(this.snapshot.state);
    return this;
  }

  knows(context: Record<string, Json>): this {
    this.snapshot = { ...this.snapshot, context: { ...this.snapshot.context, ...context } };
    return this;
  }

  decides(gate: string, decision: string): this {
    const body = { kind: 'decision', gate, decision, visit: this.snapshot.visit } as const;
    const result = applySignal(this.machine, this.snapshot, { seq: 1, by: 'human', body }, guardsOf(this.machine));
    if (result.kind !== 'moved') throw new Error(JSON.stringify(result));
    this.snapshot = result.next;
    this.path.push(this.snapshot.state);
    return this;
  }

  allows(by: PrincipalKind = 'human'): readonly string[] {
    return allowedCommands(this.machine, this.snapshot, by, guardsOf(this.machine));
  }

  ended(): string {
    return statusOf(this.machine, { ...this.snapshot, ended: true });
  }
}

export const from = (machine: Machine, state: string, context: Record<string, Json> = {}): Walk =>
  new Walk(machine, { ...initialSnapshot(machine, context), state });
