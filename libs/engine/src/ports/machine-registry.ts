import type { Gate, Guards, Machine } from '../machine/machine.js';
import type { Status, Wait } from '../machine/snapshot.js';
import type { Activity, ActivityContext } from './activity.js';

/** A project that waits for something, as its people are to see it. */
export interface Resting extends Pick<ActivityContext, 'project' | 'state' | 'visit' | 'context' | 'checkpoint'> {
  readonly status: Status;
  /** What a person is asked. */
  readonly gate: Gate | null;
  readonly wait: Wait | null;
  /**
   * False: nothing has changed since somebody was to show it. Whoever shows projects sees whether that is there, as
   * files may be deleted, and projects be made or brought back where nobody works on them.
   */
  readonly isNews: boolean;
}

/** A machine together with the code that its names stand for. */
export interface RunnableMachine {
  readonly machine: Machine;
  readonly guards: Guards;
  readonly activities: Readonly<Record<string, Activity>>;
  /** Writes down for people how a project stands that comes to rest, or has ended. No activity runs there that could. */
  readonly show?: (project: Resting) => Promise<void>;
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
