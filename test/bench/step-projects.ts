import type pg from 'pg';
import { initialSnapshot, isRunnable, type ProjectFacts, type RunnableMachine, statusOf } from '#engine';
import { type JsonObject, newId } from '#kernel';
import { inTransaction, insertProject } from '#persistence';

/** Creates projects of the bench's machine, as a request would; returns their ids. */
export async function createProjects(
  pool: pg.Pool,
  { machine }: RunnableMachine,
  count: number,
  context: JsonObject = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  for (const id of ids) {
    const snapshot = initialSnapshot(machine, context);
    const seed = {
      facts: factsOf(id, machine),
      snapshot,
      status: statusOf(machine, snapshot),
      runnable: isRunnable(machine, snapshot),
      number: null,
      mode: 'bench',
      options: {},
      labels: {},
      parentIncarnation: null,
      events: [{ type: 'project.created', data: {} }],
    };
    await inTransaction(pool, (client) => insertProject(client, seed, null));
  }
  return ids;
}

const factsOf = (id: string, machine: RunnableMachine['machine']): ProjectFacts => ({
  id,
  name: `bench-${id}`,
  machine: machine.name,
  machineVersion: machine.version,
  request: 'Step on',
  parameters: {},
  repo: null,
  parent: null,
  startedBy: 'human',
  traceparent: null,
});
