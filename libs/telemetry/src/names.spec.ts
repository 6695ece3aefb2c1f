import { expect, it } from 'vitest';
import { type Probe, report, type RunnableMachine, silentProbe, Worker } from '#engine';
import { systemClock } from '#kernel';
import { MemoryStore, sampleMachine, sampleSeed } from '#testing';
import { attributeName } from './names.js';

const runnable: RunnableMachine = {
  machine: sampleMachine,
  guards: {},
  activities: {
    first: async ({ effect }) => {
      await effect({ step: 'count', settle: { kind: 'repeat' }, run: () => Promise.resolve(1) });
      return report('go');
    },
    second: () => Promise.resolve(report('go')),
  },
};

/** The engine itself takes a project to its end. */
async function driveOne(probe: Probe): Promise<void> {
  const store = new MemoryStore(() => performance.now());
  const seed = sampleSeed();
  const { id } = seed.facts;
  store.create(seed);
  const worker = new Worker(
    {
      store,
      workers: store,
      queue: { wake: () => Promise.resolve() },
      machines: { resolve: () => Promise.resolve({ kind: 'runnable', runnable }), newest: () => runnable },
      leftBehind: { endAll: () => Promise.resolve() },
      corruption: { apply: () => Promise.resolve(false) },
      clock: systemClock,
      probe,
    },
    {
      id: 'w', maxActive: 1, leaseMs: 10_000, heartbeatMs: 10_000, timerMs: 10_000, relayMs: 10_000, reconcileMs: 10_000,
      runner: { abortDeadlineMs: 50, stepRetries: 0, stepBackoffMs: 1, checkpointEveryMs: 60_000 },
    },
  ); // prettier-ignore
  await worker.start();
  await worker.wake(id);
  await expect.poll(() => store.projects.get(id)?.status).toBe('completed');
  await worker.stop(1_000);
}

it('has a name for every attribute that the engine gives a span', async () => {
  const given = new Map<string, readonly string[]>();
  await driveOne({
    ...silentProbe,
    within: (name, { attributes }, work) => {
      given.set(name, Object.keys(attributes));
      return work();
    },
  });
  expect([...given.keys()].sort()).toEqual(['activity', 'effect', 'project', 'transition']);
  const nameless = [...given].flatMap(([span, names]) =>
    names.filter((name) => attributeName(name) === null).map((name) => `${name} of ${span}`),
  );
  expect(nameless).toEqual([]);
});
