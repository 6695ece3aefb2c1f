import { revived } from '#checkpoints';
import { isRunnable, type Machine, type ProjectFacts, stateTimer, statusOf } from '#engine';
import type { JsonObject } from '#kernel';
import { insertProject, inTransaction, inWorldlyTerms, nextProjectNumber, type PgCheckpoints } from '#persistence';
import type { ScratchKeeper } from '#workspace';
import type { Operation } from '../http/index.js';
import { projectName } from './project-name.js';
import type { StartParts } from './start-project.js';

export interface ForkParts extends StartParts {
  readonly checkpoints: PgCheckpoints;
  readonly keeper: ScratchKeeper;
  readonly machineOf: (name: string, version: number) => Promise<Machine>;
}

/** A new project that begins where a checkpoint of another one stands: its state, and a copy of its files. */
export async function forkProject(
  parts: ForkParts,
  projectId: string,
  seq: number,
  operation: Operation,
): Promise<void> {
  const { pool, checkpoints } = parts;
  const origin = await inWorldlyTerms(() => checkpoints.anchored(pool, projectId));
  const good = await inWorldlyTerms(() => checkpoints.trusted(pool, projectId, seq));
  const machine = await parts.machineOf(origin.machine, origin.machine_version);
  const back = revived(good.snapshot, good.snapshot);
  const from = { project: projectId, seq, checksum: good.link.checksum };
  const snapshot = { ...back, paused: false, aborting: false, context: { ...back.context, forkedFrom: from } };
  if (good.body.commit !== null) await parts.keeper.fork(projectId, operation.id, good.body.commit);
  const number = await inWorldlyTerms(() => nextProjectNumber(pool));
  const facts: ProjectFacts = {
    ...checkpoints.factsOf(origin),
    id: operation.id,
    name: projectName(number, origin.request),
    parent: null,
    startedBy: operation.by.principal,
    traceparent: operation.traceparent,
  };
  const seed = {
    facts,
    snapshot,
    status: statusOf(machine, snapshot),
    runnable: isRunnable(machine, snapshot),
    timer: stateTimer(machine, facts, snapshot),
    number,
    mode: origin.mode,
    options: JSON.parse(origin.options) as JsonObject,
    labels: origin.labels,
    parentIncarnation: null,
    events: [{ type: 'project.forked', data: from }],
  };
  await inWorldlyTerms(() => inTransaction(pool, (client) => insertProject(client, seed, parts.config.checkpointKey)));
}
