import { z } from 'zod';
import { FindingRelation } from '#contracts';

/**
 * What a reviewer is asked for. The bounds stand in the descriptions alone: a title that is one character too long is
 * cut by `readReview`, and costs no second answer.
 */
export const ReviewOutput = z.object({
  summary: z
    .string()
    .describe('What you looked at, by file name, and what you think of it, in at most 4,000 characters'),
  findings: z
    .array(
      z.object({
        priority: z
          .enum(['P0', 'P1', 'P2'])
          .describe('P0: nothing may go on before it is fixed; P1: to be fixed; P2: to be considered'),
        relation: FindingRelation.default('aside').describe(
          'is-request: it is the request or a part of it; before: it must be fixed before the request can be done; after: it can only be checked once the request is done; aside: it is about something else',
        ),
        title: z.string().describe('The point in one line of at most 200 characters'),
        body: z.string().describe('Why it matters and what to do, in at most 4,000 characters'),
        file: z
          .string()
          .nullable()
          .describe('Path relative to the root of the repository; null if it is about no file'),
        line: z.number().nullable().describe('Counted from 1; null if it is about no line'),
        confidence: z.number().describe('How sure you are, from 0 to 1'),
      }),
    )
    .describe('At most 200, each point once; empty if there are none'),
});
export type ReviewOutput = z.infer<typeof ReviewOutput>;
