import { z } from 'zod';
import { name } from './registry.js';
import { tokens, usd } from './text.js';

export const ChangeBudget = name(
  'ChangeBudget',
  z
    .strictObject({
      usd: usd.optional().describe('The new cap in USD; what is used already counts'),
      tokens: tokens.optional().describe('The new cap in tokens; cache reads do not count'),
    })
    .refine((caps) => caps.usd !== undefined || caps.tokens !== undefined, {
      error: 'must have usd or tokens',
    }),
);
export type ChangeBudget = z.infer<typeof ChangeBudget>;
