import { z } from 'zod';
import { name } from './registry.js';
import { usd } from './text.js';

export const ChangeBudget = name(
  'ChangeBudget',
  z
    .strictObject({
      usd: usd.optional().describe('The new cap in USD; what is used already counts'),
      tokens: z
        .int()
        .min(1)
        .max(1_000_000_000_000)
        .optional()
        .describe('The new cap in tokens; cache reads do not count'),
    })
    .refine(({ usd: money, tokens }) => money !== undefined || tokens !== undefined, {
      error: 'must have usd or tokens',
    }),
);
export type ChangeBudget = z.infer<typeof ChangeBudget>;
