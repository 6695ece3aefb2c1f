import type { Finding, Gate, HealProblem, Project, ProjectTask } from '#contracts';
import type { SessionRow, Unseen, UnknownItem } from '#modes';
import type { Pending } from '#workspace';

/** All that a summary is made of, as it was read. */
export interface Seen {
  readonly project: Project;
  /** What a person is asked. */
  readonly gate: Gate | null;
  /** What was decided where it stands, and has yet to be taken up. */
  readonly decided: Gate['decided'];
  readonly tasks: readonly ProjectTask[];
  readonly findings: readonly Finding[];
  readonly problems: readonly HealProblem[];
  /** Oldest first. */
  readonly log: readonly SessionRow[];
  /** The states of the machine in which something is done, in the order of its table; for a plan in a mode without tasks. */
  readonly steps: readonly string[];
  readonly pending: Pending | Unseen | null;
  readonly unknown: readonly UnknownItem[];
}
