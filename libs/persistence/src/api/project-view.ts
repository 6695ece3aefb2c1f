import type { Machine } from '#engine';
import type { JsonObject } from '#kernel';
import type { Project, ProjectStatus, WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import { gateOf } from './person-wanted.js';
import type { Context } from './prisma-contexts.js';
import type { ChildView } from './prisma-families.js';
import { pausingView } from './prisma-pausing.js';
import { PROOF_KEYS, proofView } from './proof-view.js';
import type { FiresAt } from './prisma-timers.js';
import { checksumView, hasEndedStatus, waitOf } from './project-row.js';
import { REASON_KEYS, reasonView } from './reason-view.js';
import { TEAM_KEYS, teamView } from './team-view.js';
import { WORKSPACE_KEYS, workspaceView } from './workspace-view.js';

/** Finds the table of a machine as a project knows it; null where nobody has it any more. */
export type MachineTables = (name: string, version: number) => Promise<Machine | null>;

/** What a project's view takes from other tables than its own. */
export interface Surroundings {
  readonly machine: Machine | null;
  readonly children: readonly ChildView[];
  /** When it was told to pause, where it still runs. */
  readonly pausingSince: Date | null;
  readonly firesAt: FiresAt;
  readonly openedAt: Date;
  /** What the project itself says, under `CONTEXT_KEYS`. */
  readonly context: Context;
  readonly budget: Project['budget'];
  readonly hasSimulatedCalls: boolean;
}

/** What a view takes from a project's context. */
export const CONTEXT_KEYS = [...REASON_KEYS, ...WORKSPACE_KEYS, ...TEAM_KEYS, ...PROOF_KEYS];

const RATE_LIMIT = 'rate-limit';

export function projectView(row: ProjectModel, around: Surroundings): Project {
  const { workspace, isSimulated } = workspaceView(row, around.context);
  // A fork has its calls in the ledger of its origin, and says in its context what they were.
  const simulated = around.hasSimulatedCalls || isSimulated;
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    mode: row.mode,
    machine: row.machine,
    machineVersion: row.machineVersion,
    state: row.state,
    status: row.status as ProjectStatus,
    waitingFor: waitingFor(row, around),
    request: row.request,
    parameters: JSON.parse(row.parameters) as JsonObject,
    labels: row.labels as Record<string, string>,
    repo: row.repoPath === null ? null : { path: row.repoPath, ref: row.repoRef },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...teamView(around.context),
    budget: around.budget,
    workspace,
    simulated,
    ...proofView(row, around.context, simulated),
    checkpoint: { seq: row.version, checksum: checksumView(row.headChecksum) },
    traceId: row.traceparent?.split('-')[1] ?? null,
  };
}

function waitingFor(row: ProjectModel, around: Surroundings): WaitingFor | null {
  if (hasEndedStatus(row.status)) return null;
  const { machine, children, firesAt, openedAt, context, pausingSince } = around;
  const pausing = pausingView(row, pausingSince, children);
  if (pausing) return pausing;
  const asked = gateOf(row, machine, { parent: null, why: reasonView(row, context), firesAt, openedAt });
  if (asked?.kind === 'gate' || asked?.kind === 'effect') {
    const { name: gate, ask, why, options, consequences, default: byItself, openedAt: since } = asked;
    return { kind: 'gate', gate, ask, why, options, consequences, default: byItself, openedAt: since };
  }
  const wait = waitOf(row) ?? restingState(row, machine);
  if (wait?.kind === 'children') return { ...wait, children };
  if (wait?.kind !== 'time') return wait;
  const { event = '', ...shown } = wait;
  const until = firesAt(String(event))?.toISOString() ?? null;
  // Nobody has to do anything about it: it is shown by its own name.
  if (shown['reason'] === RATE_LIMIT) return { kind: RATE_LIMIT, until, words: shown['words'] ?? null };
  return { ...shown, until };
}

/** A state that does nothing but wait for its timer. */
function restingState({ state }: ProjectModel, machine: Machine | null): WaitingFor | null {
  const found = machine && Object.hasOwn(machine.states, state) ? machine.states[state] : undefined;
  if (!found?.timer || found.do !== undefined) return null;
  return { kind: 'time', reason: found.timer.event, event: found.timer.event };
}
