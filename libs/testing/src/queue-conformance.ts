import { describe } from 'vitest';
import { queueBench } from './queue-bench.js';
import { itDelivers } from './queue-conformance-delivery.js';
import { itSurvivesFaults } from './queue-conformance-faults.js';
import type { QueueUnderTest } from './queue-under-test.js';

export { spawnHangingConsumer } from './queue-hanging-consumer.js';
export type { QueueUnderTest } from './queue-under-test.js';

/** What every backend of the work queue must do. */
export function queueConformance(backend: string, prepare: () => Promise<QueueUnderTest>): void {
  describe(`the work queue on ${backend}`, () => {
    const bench = queueBench(prepare);
    itDelivers(bench);
    itSurvivesFaults(bench);
  });
}
