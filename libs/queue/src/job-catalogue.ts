import { z } from 'zod';
import { isUuid } from '#kernel';

/** Every payload may carry the W3C trace context of whoever asked for the job. */
export interface JobPayload {
  readonly traceparent?: string | null | undefined;
}

export interface JobDefinition<P extends JobPayload = JobPayload> {
  /** What the payload must look like. Strict: a key it does not know is refused. */
  readonly payload: z.ZodType<P>;
  /** After this the handler's signal aborts and the attempt counts as failed. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Wait before the second attempt; doubles with each further one. */
  readonly backoffMs: number;
}

export type JobCatalogue = Readonly<Record<string, JobDefinition>>;
export type JobName<C extends JobCatalogue> = keyof C & string;
export type PayloadOf<C extends JobCatalogue, N extends JobName<C>> = z.output<C[N]['payload']>;

/** Length is all that is asked of it: whoever reads a trace context drops one that makes no sense. */
export const traceparentSchema = z.string().max(200).nullish();

export const jobCatalogue = {
  /** Somebody claims the project and starts to drive it; the driving itself outlives the job. */
  'project.wake': {
    payload: z.strictObject({
      projectId: z.string().refine(isUuid, 'must be the id of a project'),
      traceparent: traceparentSchema,
    }),
    timeoutMs: 10_000,
    attempts: 3,
    backoffMs: 250,
  },
} satisfies JobCatalogue;

export type QralphJobs = typeof jobCatalogue;
