import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { anyJson, isoTime } from './text.js';

export const ProjectEvent = name(
  'ProjectEvent',
  z.strictObject({
    seq: z.int().describe('Gapless per project'),
    version: z.int().describe('The checkpoint it was written with'),
    type: z.string(),
    data: z.record(z.string(), anyJson),
    at: isoTime,
  }),
);
export type ProjectEvent = z.infer<typeof ProjectEvent>;

export const EventList = name(
  'EventList',
  listOf(ProjectEvent),
  '`nextCursor` is the `after` of the next page; null when these were the newest',
);

export const EventQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('Only events after this sequence number'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});
export type EventQuery = z.infer<typeof EventQuery>;
