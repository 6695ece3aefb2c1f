import type { ProjectTask } from '#contracts';
import type { JsonObject } from '#kernel';
import type { Comparison } from '#self-heal';
import type { Unfinished } from '../run-agent.js';

/** Whether a task reached its goal, given verify commands that fail no worse than before. */
export type CheckOutcome =
  | { readonly kind: 'held'; readonly patch: JsonObject }
  | { readonly kind: 'failed'; readonly comparison: Comparison; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

export interface CheckRequest {
  readonly task: ProjectTask;
  /** What is judged: a snapshot, or a commit. */
  readonly commit: string;
  /** Why the agent says that the check itself is wrong; null if it does not. */
  readonly wrongCheck?: string | null;
  /** The agent changed nothing: it found nothing that is missing. */
  readonly isUnchanged?: boolean;
  /** Whether the first agent of the task changed nothing: an earlier commit may have done it. Absent after a heal. */
  readonly isDoneBefore?: boolean;
}

export const HELD: CheckOutcome = { kind: 'held', patch: {} };
