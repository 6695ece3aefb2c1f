import { z } from 'zod';
import { name } from './registry.js';
import { anyJson } from './text.js';

export const Problem = name(
  'Problem',
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable: what a program decides by'),
    detail: z.string().describe('What was wrong and what to do'),
    instance: z.string().optional().describe('The id of the request, as in the log'),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe('Every fault of the input'),
    details: z.record(z.string(), anyJson).optional(),
  }),
  'RFC 9457 problem details',
);
export type Problem = z.infer<typeof Problem>;
