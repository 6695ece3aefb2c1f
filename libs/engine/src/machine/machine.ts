import type { Json } from '#kernel';

/**
 * A machine is plain data: it can be stored, compared, drawn and interpreted by any version of the engine.
 * Guards and activities are named here and provided by the code that registers the machine.
 */
export interface Machine {
  readonly name: string;
  readonly version: number;
  readonly initial: string;
  /** Where ABORT leads from any state that is not terminal. */
  readonly abortTo: string;
  readonly states: Readonly<Record<string, State>>;
}

export interface State {
  /** The activity that runs while the project is in this state. */
  readonly do?: string;
  /** The project waits here for a person. */
  readonly gate?: Gate;
  /** A durable timer, set when the state is entered. */
  readonly timer?: Timer;
  /** Branches are tried in order; the first whose conditions hold is taken. */
  readonly on: Readonly<Record<string, readonly Branch[]>>;
  /**
   * Terminal: how the project ended. An aborted project ends as aborted in any terminal state.
   * A terminal state may have an activity (clean-up): the project has ended when that is done.
   */
  readonly end?: 'completed' | 'aborted';
  /** Entering this state remembers where from; the target `@return` leads back there. Shown as blocked. */
  readonly remembers?: true;
  /** Entering this state completes the project's work, which is told then: what follows is clean-up. */
  readonly completes?: true;
}

export interface Branch {
  readonly to: string;
  /**
   * A named guard over the project's context, as it is with what the event brings along, the event's data, and how
   * often bounded branches were taken so far.
   */
  readonly when?: string;
  readonly bound?: Bound;
  /** Only an event from a human principal takes this branch. */
  readonly by?: 'human';
  /** Taking this branch gives the project up: it ends as aborted. */
  readonly aborts?: true;
}

/** Taken at most `max` times. Branches that share a name share the count. */
export interface Bound {
  readonly name: string;
  readonly max: number;
  /** Counts apart for each value of this field of the event's data or, where the event does not say, of the context. */
  readonly per?: string;
  /** A key of the context whose number overrides `max`. */
  readonly parameter?: string;
}

export interface Gate {
  readonly name: string;
  readonly ask: string;
  /** Decision → the event it causes. */
  readonly options: Readonly<Record<string, string>>;
  /** Decision → what it leads to, in one sentence for whoever decides. Tables that were kept long ago have none. */
  readonly consequences?: Readonly<Record<string, string>>;
  /** What happens by itself where nobody decides before the state's timer fires, in one sentence. */
  readonly default?: string;
}

export interface Timer {
  readonly event: string;
  readonly ms: number;
  /** A parameter of the project that overrides `ms`. */
  readonly parameter?: string;
}

/** The target of a branch that leads back to where a remembering state was entered from. */
export const RETURN = '@return';

/** Commands that a state's table may accept as events; the other commands act on every state alike. */
export const TABLE_COMMANDS = ['SKIP', 'ESCALATE', 'RETRY'] as const;

export type Guard = (
  context: Readonly<Record<string, Json>>,
  data: Readonly<Record<string, Json>>,
  counters: Readonly<Record<string, number>>,
) => boolean;
export type Guards = Readonly<Record<string, Guard>>;

export const machineId = (machine: { name: string; version: number }): string =>
  `${machine.name}@${String(machine.version)}`;
