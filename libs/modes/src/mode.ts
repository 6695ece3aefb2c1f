import type { Json, JsonObject } from '#kernel';
import type { Machine, RunnableMachine } from '#engine';

/** Something a user can ask for by name: a machine, the code behind it, and how a project of it begins. */
export interface Mode extends RunnableMachine {
  readonly name: string;
  /** Whether a project must name a repository. */
  readonly needsRepo: boolean;
  /** What else of an order it heeds; an order that asks for anything beyond is refused. */
  readonly options: readonly string[];
  /** Gates that are on unless a human principal starts the project with them off. */
  readonly optionalGates: readonly string[];
  /** Gates that are off unless an order, whoever it is from, switches them on. */
  readonly offeredGates?: readonly string[];
  /** Its work is a list of tasks, once they are known; a mode without has its states for a plan. */
  readonly hasTasks?: boolean;
  /** Roles of the agents that its projects start, beside those whom a team seats; none where no agent works. */
  readonly roles: readonly string[];
  /** Machines that projects of this mode start as children. */
  readonly childMachines: readonly RunnableMachine[];
  /** Checks a user's parameters and gives the context that a project begins with; throws a UserError that says why not. */
  begin(parameters: JsonObject, gates: Readonly<Record<string, boolean>>, options: JsonObject): JsonObject;
  /** Refuses, with a UserError that says why, what is known to fail before a project of this mode begins. */
  admit?(order: Order): Promise<void>;
  /** Refuses, with a UserError that says why, a decision with which something is said that nobody would heed. */
  admitDecision?(said: SaidDecision, context: JsonObject): void;
}

/** What a person says at a gate. */
export interface SaidDecision {
  readonly gate: string;
  readonly decision: string;
  readonly feedback?: string;
  readonly answers?: Json;
}

/** What a user asks of a mode. */
export interface Order {
  readonly request: string;
  /** Root of the repository; null where none was named. */
  readonly repo: string | null;
  readonly parameters: JsonObject;
  readonly options: JsonObject;
}

/** A mode whose activities are not there yet. */
export interface PlannedMode {
  readonly name: string;
  /** Its table, where at least that is there. */
  readonly machine?: Machine;
}
