import { z } from 'zod';

/** What whoever plans, works or checks may come across. */
export const Findings = z
  .array(
    z.object({
      priority: z
        .enum(['P0', 'P1', 'P2'])
        .describe('P0: the work must not continue before it is fixed; P1: to be fixed; P2: to be considered'),
      title: z.string().describe('The point in one line'),
      body: z.string().describe('Why it matters and what to do'),
      file: z.string().nullable(),
      line: z.number().nullable(),
      confidence: z.number().describe('How sure you are, from 0 to 1'),
    }),
  )
  .describe('What you came across that somebody has to know, such as a hole or data that would be lost; mostly none');
