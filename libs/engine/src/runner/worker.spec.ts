import { expect, it } from 'vitest';
import { report, type RunnableMachine, silentProbe, Worker } from '../index.js';
import { systemClock } from '#kernel';
import { MemoryStore, sampleMachine, sampleSeed } from '#testing';

const go = () => Promise.resolve(report('go'));
const runnable: RunnableMachine = { machine: sampleMachine, guards: {}, activities: { first: go, second: go } };

it('hands a wake-up on as soon as it is told of it, however rarely it looks', async () => {
  const store = new MemoryStore(() => performance.now());
  const worker: Worker = new Worker(
    {
      store,
      workers: store,
      queue: {
        wake: async (wakeUps) => void (await Promise.all(wakeUps.map(({ projectId }) => worker.wake(projectId)))),
      },
      machines: { resolve: () => Promise.resolve({ kind: 'runnable', runnable }), newest: () => runnable },
      leftBehind: { endAll: () => Promise.resolve() },
      corruption: { apply: () => Promise.resolve(false) },
      clock: systemClock,
      probe: silentProbe,
    },
    {
      id: 'w', maxActive: 1, leaseMs: 60_000, heartbeatMs: 60_000, timerMs: 60_000, relayMs: 60_000, reconcileMs: 60_000,
      runner: { abortDeadlineMs: 50, stepRetries: 0, stepBackoffMs: 1, checkpointEveryMs: 60_000 },
    },
  ); // prettier-ignore
  await worker.start();
  const seed = sampleSeed();
  store.create(seed);
  expect(await store.takeOutbox(1)).toHaveLength(1);
  worker.relayNow();
  await expect.poll(() => store.projects.get(seed.facts.id)?.status).toBe('completed');
  await worker.stop(1_000);
});
