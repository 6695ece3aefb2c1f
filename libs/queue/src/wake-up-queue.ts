import type { WakeUpQueue } from '#engine';
import type { WorkQueue } from './work-queue.port.js';

/** The engine's wake-ups as jobs. The id of a wake-up stays behind: it is for the outbox that it came from. */
export function wakeUpQueue(queue: Pick<WorkQueue, 'add'>): WakeUpQueue {
  return {
    wake: (wakeUps) =>
      queue.add(
        'project.wake',
        wakeUps.map(({ projectId, traceparent }) => ({ projectId, traceparent })),
      ),
  };
}
