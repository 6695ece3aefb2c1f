import { defineMachine, initialSnapshot, isRunnable, type ProjectFacts, statusOf } from '#engine';
import { type JsonObject, newId } from '#kernel';
import type { MemorySeed } from './memory/index.js';

/** A machine for tests of stores: what its states mean does not matter to them. */
export const sampleMachine = defineMachine(
  'sample',
  1,
  {
    FIRST: { do: 'first', on: { go: 'SECOND' } },
    SECOND: { do: 'second', on: { go: 'LAST' } },
    LAST: { end: 'completed' },
  },
  { abortTo: 'LAST' },
);

export function sampleSeed(context: JsonObject = {}, facts: Partial<ProjectFacts> = {}): MemorySeed {
  const id = facts.id ?? newId();
  const snapshot = initialSnapshot(sampleMachine, context);
  return {
    facts: {
      id,
      name: `sample-${id}`,
      machine: sampleMachine.name,
      machineVersion: sampleMachine.version,
      request: 'A sample',
      parameters: {},
      repo: null,
      parent: null,
      startedBy: 'human',
      traceparent: null,
      ...facts,
    },
    snapshot,
    status: statusOf(sampleMachine, snapshot),
    runnable: isRunnable(sampleMachine, snapshot),
  };
}
