import { afterAll, afterEach, beforeAll } from 'vitest';
import { newId } from '#kernel';
import type { WorkQueue } from '#queue';
import { type QueueOptions, type QueueUnderTest, type TestJobs, testJobs } from './queue-under-test.js';

export interface QueueBench {
  readonly backend: QueueUnderTest;
  /** What the queues of the current test logged. */
  readonly logged: readonly string[];
  /** Is closed at the end of the test. */
  open(name?: string, options?: Partial<QueueOptions>): Promise<WorkQueue<TestJobs>>;
}

/** Call it inside a `describe`: one backend for all its tests, fresh queues for each. */
export function queueBench(prepare: () => Promise<QueueUnderTest>): QueueBench {
  let backend: QueueUnderTest | undefined;
  const opened: WorkQueue<TestJobs>[] = [];
  const logged: string[] = [];
  const prepared = (): QueueUnderTest => {
    if (!backend) throw new Error('the backend is not prepared yet');
    return backend;
  };

  beforeAll(async () => {
    backend = await prepare();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queue) => queue.close(0)));
    logged.length = 0;
  });
  afterAll(() => backend?.release());

  return {
    get backend() {
      return prepared();
    },
    logged,
    open: async (name = `q-${newId()}`, options = {}) => {
      const log: QueueOptions['log'] = (_level, message) => logged.push(message);
      const queue = await prepared().open(testJobs, { name, log, concurrency: 8, ...options });
      opened.push(queue);
      return queue;
    },
  };
}
