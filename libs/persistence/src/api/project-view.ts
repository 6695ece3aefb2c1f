import { initialSnapshot, type Machine, openGate, type Wait } from '#engine';
import type { JsonObject } from '#kernel';
import type { Gate, Project, ProjectStatus, WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';

/** Finds the table of a machine as a project knows it; null where nobody has it any more. */
export type MachineTables = (name: string, version: number) => Promise<Machine | null>;

export const checksumView = (hex: string): string => (hex.startsWith('sha256:') ? hex : `sha256:${hex}`);

const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];
export const hasEndedStatus = (status: string): boolean => ENDED.includes(status);

export function projectView(row: ProjectModel, machine: Machine | null): Project {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    mode: row.mode,
    machine: row.machine,
    machineVersion: row.machineVersion,
    state: row.state,
    status: row.status as ProjectStatus,
    waitingFor: waitingFor(row, machine),
    request: row.request,
    parameters: JSON.parse(row.parameters) as JsonObject,
    labels: row.labels as Record<string, string>,
    repo: row.repoPath === null ? null : { path: row.repoPath, ref: row.repoRef },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    team: null,
    findings: { P0: 0, P1: 0, P2: 0 },
    healing: { attempt: 0, model: null, problem: null },
    budget: null,
    workspace: null,
    checkpoint: { seq: row.version, checksum: checksumView(row.headChecksum) },
    traceId: row.traceparent?.split('-')[1] ?? null,
  };
}

const waitOf = (row: ProjectModel): Wait | null => (row.waiting === null ? null : (JSON.parse(row.waiting) as Wait));

/** Its newest checkpoint is bad: until a person restores one, nothing else can be decided. */
const isHeld = (row: ProjectModel): boolean => (waitOf(row) as WaitingFor | null)?.kind === 'checkpoint';

export function waitingFor(row: ProjectModel, machine: Machine | null): WaitingFor | null {
  if (hasEndedStatus(row.status)) return null;
  const gate = gateOf(row, machine);
  if (gate) return { kind: 'gate', gate: gate.name, ask: gate.ask, options: gate.options };
  return waitOf(row);
}

export function gateOf(row: ProjectModel, machine: Machine | null): Gate | null {
  if (!machine || hasEndedStatus(row.status) || isHeld(row)) return null;
  const gate = openGate(machine, { ...initialSnapshot(machine, {}), state: row.state, wait: waitOf(row) });
  if (!gate) return null;
  return {
    name: gate.name,
    project: { id: row.id, name: row.name },
    ask: gate.ask,
    options: Object.keys(gate.options),
    checkpoint: { seq: row.version, checksum: checksumView(row.headChecksum) },
  };
}
