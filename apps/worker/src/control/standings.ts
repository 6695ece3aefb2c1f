import type { Config } from '#config';
import { initialSnapshot, type Machine, type RunnableMachine, type Signal, type Snapshot } from '#engine';
import { errorCode, UserError } from '#kernel';
import type { ModeRegistry } from '#modes';
import {
  type AnchoredProject, type Database, inWorldlyTerms, isHeld, pendingSignals, type PgCheckpoints, type PgRestore,
} from '#persistence'; // prettier-ignore

export interface StandingParts {
  readonly config: Pick<Config, 'onCorrupt'>;
  readonly pool: Database;
  readonly modes: Pick<ModeRegistry, 'runnableOf'>;
  readonly checkpoints: PgCheckpoints;
  readonly restore: PgRestore;
}

/** A project as whoever wants something of it finds it. */
export interface ProjectStanding {
  readonly snapshot: Snapshot;
  readonly version: number;
  readonly runnable: RunnableMachine;
  /** What it was told and has not applied yet. */
  readonly inbox: readonly Signal[];
}

/** Its newest checkpoint is held for a person, or its machine is not to be had. */
export const isUndrivable = (error: unknown): boolean =>
  ['CHECKPOINT_CORRUPT', 'MACHINE_UNAVAILABLE'].includes(errorCode(error));

/** Where projects stand, for those who do not hold them. */
export async function standingOf(parts: StandingParts, id: string): Promise<ProjectStanding> {
  const { pool, checkpoints, config, modes } = parts;
  // Read before the project: what is applied in between would be missing from both; in both, it does nothing twice.
  const inbox = await inWorldlyTerms(() => pendingSignals(pool, id));
  const project = await inWorldlyTerms(() => checkpoints.anchored(pool, id));
  const runnable = await modes.runnableOf(project.machine, project.machine_version);
  const rest = { version: project.version, runnable, inbox };
  try {
    return { ...rest, snapshot: await inWorldlyTerms(() => checkpoints.head(pool, project)) };
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'CHECKPOINT_CORRUPT' || isHeld(project)) throw error;
    if (config.onCorrupt === 'hold') {
      const { reason } = error.details;
      const found = { seq: project.version, reason: typeof reason === 'string' ? reason : error.message };
      if (project.lease_worker === null) await parts.restore.hold(id, found);
      throw error;
    }
    // The worker that the command wakes applies the rule for bad checkpoints before anything else.
    return { ...rest, snapshot: asTheRowSays(runnable.machine, project) };
  }
}

/** Enough to say what may be commanded when the newest checkpoint cannot be read. No visit is ever that of a step. */
function asTheRowSays(machine: Machine, { state, status, waiting }: AnchoredProject): Snapshot {
  const wait = waiting === null ? null : (JSON.parse(waiting) as Snapshot['wait']);
  return { ...initialSnapshot(machine, {}), state, wait, paused: status === 'paused', visit: 0 };
}
