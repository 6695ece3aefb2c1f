import type { Guards, Machine } from '../machine/machine.js';
import type { Activity } from './activity.js';

/** A machine together with the code that its names stand for. */
export interface RunnableMachine {
  readonly machine: Machine;
  readonly guards: Guards;
  readonly activities: Readonly<Record<string, Activity>>;
}

/** Finds the exact version that a project began with, even when the code has moved on to a newer one. */
export interface MachineRegistry {
  resolve(name: string, version: number): Promise<ResolvedMachine>;
  /** The version that a new project of this machine begins with. */
  newest(name: string): RunnableMachine | undefined;
}

export type ResolvedMachine =
  | { readonly kind: 'runnable'; readonly runnable: RunnableMachine }
  /** The table is known, but this code lacks something that it names, or it was never seen here. */
  | { readonly kind: 'unavailable'; readonly reason: string };
