import { z } from 'zod';
import { name } from './registry.js';
import { text, tokens, usd } from './text.js';

const word = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, { error: 'must be a lower-case word such as "coding"' });
const command = text(1, 4_000).regex(/\S/, { error: 'must not be blank' });
const identifier = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/);

export const LABEL_KEY = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;
const atMost = (max: number) => (value: Record<string, unknown>) => Object.keys(value).length <= max;

export const Labels = z
  .record(z.string().regex(LABEL_KEY), text(0, 200))
  .refine(atMost(32), { error: 'must have at most 32 labels' });

/** Settings of a machine, such as how long its timer runs; which ones there are the machine says. */
export const Parameters = z
  .record(identifier, z.union([text(0, 4_000), z.number(), z.boolean()]))
  .refine(atMost(64), { error: 'must have at most 64 parameters' });

export const StartProject = name(
  'StartProject',
  z.strictObject({
    request: text(3, 20_000).regex(/\S/, { error: 'must not be blank' }).describe('What is to be done'),
    mode: word.default('coding'),
    variant: word.nullable().default(null),
    repo: z
      .strictObject({
        path: text(1, 4_096).describe('Absolute path of a git repository below QRALPH_REPO_ROOTS'),
        ref: text(1, 250).optional(),
      })
      .optional()
      .describe('Required by every machine that works on a repository of yours'),
    parameters: Parameters.default({}),
    agents: z
      .strictObject({
        pin: z.array(text(1, 64)).max(16).default([]),
        forbid: z.array(text(1, 64)).max(64).default([]),
        count: z.int().min(1).max(16).optional(),
      })
      .optional(),
    runtime: word.optional(),
    models: z.partialRecord(z.enum(['small', 'medium', 'large']), text(1, 200)).optional(),
    setup: z.array(command).max(32).optional(),
    copy: z.array(text(1, 1_000)).max(64).optional(),
    verify: z.array(command).max(32).optional(),
    budget: z.strictObject({ usd: usd.optional(), tokens: tokens.optional() }).optional(),
    gates: z
      .record(identifier, z.boolean())
      .refine(atMost(32), { error: 'must have at most 32 gates' })
      .optional()
      .describe(
        'Which are on of the gates that the mode lets be switched off; switching one off needs a human principal',
      ),
    sandbox: z.enum(['auto', 'limited', 'none']).optional(),
    webhook: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }).optional(),
    commitArtifacts: z.boolean().optional(),
    labels: Labels.default({}),
  }),
);
export type StartProject = z.infer<typeof StartProject>;
