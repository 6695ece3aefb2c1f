import type { Machine } from '#engine';
import type { JsonObject } from '#kernel';
import type { Project, ProjectStatus, WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import { gateOf } from './person-wanted.js';
import type { ChildView } from './prisma-families.js';
import { checksumView, hasEndedStatus, waitOf } from './project-row.js';

/** Finds the table of a machine as a project knows it; null where nobody has it any more. */
export type MachineTables = (name: string, version: number) => Promise<Machine | null>;

export function projectView(row: ProjectModel, machine: Machine | null, children: readonly ChildView[]): Project {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    mode: row.mode,
    machine: row.machine,
    machineVersion: row.machineVersion,
    state: row.state,
    status: row.status as ProjectStatus,
    waitingFor: waitingFor(row, machine, children),
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

function waitingFor(row: ProjectModel, machine: Machine | null, children: readonly ChildView[]): WaitingFor | null {
  if (hasEndedStatus(row.status)) return null;
  const gate = gateOf(row, machine);
  if (gate?.kind === 'gate' || gate?.kind === 'effect') {
    return { kind: 'gate', gate: gate.name, ask: gate.ask, options: gate.options };
  }
  const wait = waitOf(row);
  return wait?.kind === 'children' ? { ...wait, children } : wait;
}
