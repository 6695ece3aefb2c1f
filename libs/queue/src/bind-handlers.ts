import { EngineBug } from '#kernel';
import type { JobCatalogue } from './job-catalogue.js';
import type { JobContext, JobHandler } from './work-queue.port.js';

export type Handle = (payload: unknown, context: JobContext) => Promise<void>;

/** One handler for each job of the catalogue and none besides; anything else must stop the boot. */
export function bindHandlers<C extends JobCatalogue>(
  catalogue: C,
  handlers: readonly JobHandler<C>[],
): ReadonlyMap<string, Handle> {
  const bound = new Map<string, Handle>();
  for (const { job, handle } of handlers) {
    if (!Object.hasOwn(catalogue, job)) {
      throw new EngineBug('UNKNOWN_HANDLER', `there is a handler for "${job}", which is no job of the catalogue`, {
        job,
      });
    }
    if (bound.has(job)) throw new EngineBug('DOUBLE_HANDLER', `the job "${job}" has two handlers`, { job });
    // The payload is parsed by the job's own schema before the handler sees it.
    bound.set(job, handle as Handle);
  }
  for (const job of Object.keys(catalogue)) {
    if (!bound.has(job)) throw new EngineBug('MISSING_HANDLER', `the job "${job}" has no handler`, { job });
  }
  return bound;
}
