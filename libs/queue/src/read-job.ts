import { z } from 'zod';
import type { JobCatalogue, JobDefinition, JobPayload } from './job-catalogue.js';

export type ReadJob =
  | { readonly kind: 'job'; readonly definition: JobDefinition; readonly payload: JobPayload }
  | { readonly kind: 'refused'; readonly reason: string };

const LONGEST_REASON = 500;

/** Whoever can write to the backend can put anything there: nothing is believed before it fits the catalogue. */
export function readJob(catalogue: JobCatalogue, name: unknown, data: unknown): ReadJob {
  const definition = typeof name === 'string' && Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
  if (!definition) return { kind: 'refused', reason: 'no such job in the catalogue' };
  const parsed = definition.payload.safeParse(data);
  if (!parsed.success) return { kind: 'refused', reason: z.prettifyError(parsed.error).slice(0, LONGEST_REASON) };
  return { kind: 'job', definition, payload: parsed.data };
}
