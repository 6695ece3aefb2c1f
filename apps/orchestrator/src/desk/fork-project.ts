import { revived } from '#checkpoints';
import { announcementsOf, type ProjectFacts, stateOf, stateTimer, statusOf, withoutCompletion } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import { forkedContext } from '#modes';
import {
  copyCaps,
  copyNotes,
  copyEndpoint,
  insertProject,
  inTransaction,
  inWorldlyTerms,
  lockFork,
  mustBeNoChild,
  nameOf,
  type PgCheckpoints,
} from '#persistence';
import type { ProjectKeeper } from '../../../worker/src/project-keeper.js';
import type { Operation } from '../http/index.js';
import { capsOf } from './budget-desk.js';
import { projectName } from './project-name.js';
import { sweepFork } from './sweep-forks.js';
import { endpointOf } from './webhook-desk.js';
import { numberFor, type StartParts } from './start-project.js';

export interface ForkParts extends StartParts {
  readonly checkpoints: PgCheckpoints;
  readonly keeper: Pick<ProjectKeeper, 'reset' | 'settle' | 'witnesses' | 'fork' | 'forked' | 'unfork'>;
}

/**
 * A new project that begins where a checkpoint of another one stands: its state, and a copy of its files. An operation
 * that is repeated finds its project there and changes nothing.
 */
export async function forkProject(
  parts: ForkParts,
  projectId: string,
  seq: number,
  operation: Operation,
): Promise<void> {
  const { pool, checkpoints } = parts;
  if ((await inWorldlyTerms(() => nameOf(pool, operation.id))) !== null) return;
  const origin = await inWorldlyTerms(() => checkpoints.anchored(pool, projectId));
  mustBeNoChild(origin, await inWorldlyTerms(() => nameOf(pool, origin.parent_id)));
  const good = await inWorldlyTerms(() => checkpoints.trusted(pool, projectId, seq));
  const { machine } = await parts.modes.runnableOf(origin.machine, origin.machine_version);
  if (stateOf(machine, good.snapshot)?.end) {
    throw new UserError(
      'CHECKPOINT_ENDED',
      `at checkpoint ${String(seq)} the project was at its end, in ${good.snapshot.state}: nothing would follow. Fork an earlier one.`,
      { seq, state: good.snapshot.state },
    );
  }
  const back = revived(good.snapshot, good.snapshot);
  const from = { project: projectId, name: origin.name, seq, checksum: good.link.checksum };
  const counters = withoutCompletion(back.counters);
  const known = checkpoints.factsOf(origin);
  const number = await numberFor(parts, operation, known.repo);
  const name = projectName(number, origin.request);
  const context = { ...forkedContext(back.context, name), forkedFrom: from };
  const snapshot = { ...back, paused: false, aborting: false, counters, context };
  const facts: ProjectFacts = {
    ...known,
    id: operation.id,
    name,
    parent: null,
    startedBy: operation.by.principal,
    traceparent: operation.traceparent,
  };
  const seed = {
    facts,
    snapshot,
    status: statusOf(machine, snapshot),
    // Also where it waits: whoever claims it shows it.
    runnable: true,
    timer: stateTimer(machine, facts, snapshot),
    number,
    mode: origin.mode,
    options: JSON.parse(origin.options) as JsonObject,
    labels: origin.labels,
    parentIncarnation: null,
    events: [{ type: 'project.forked', data: from }],
    announcements: announcementsOf({ machine, facts, before: null, after: snapshot, version: 1, cause: 'forked' }),
  };
  const made = inWorldlyTerms(() =>
    inTransaction(pool, async (client) => {
      // Whoever sweeps up after killed forks sees by the lock that this one is under way.
      await lockFork(client, facts.id);
      if (good.body.commit !== null) {
        await parts.keeper.fork(projectId, { to: facts.id, repo: facts.repo?.path ?? null }, good.body.commit);
      }
      await copyEndpoint(client, projectId, { id: endpointOf(facts.id), projectId: facts.id });
      const isNew = await insertProject(client, seed, parts.config.checkpointKey);
      if (!isNew) return;
      await copyCaps(client, { projectId, seq }, facts.id, capsOf(undefined, parts.config));
      await copyNotes(client, projectId, facts.id);
    }),
  );
  try {
    await made;
  } catch (error) {
    // Where even this fails, the next start does it.
    await sweepFork(parts, facts.id).catch(() => false);
    throw error;
  }
  await parts.keeper.forked(facts.id);
}
