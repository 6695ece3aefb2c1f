import { z } from 'zod';
import { name } from './registry.js';
import { text, tokens, usd } from './text.js';
import { ProjectWebhook } from './webhook.js';

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

export const Goal = z.enum(['green']);
export type Goal = z.infer<typeof Goal>;

export const Asides = z.enum(['P1', 'P0', 'none']);
export type Asides = z.infer<typeof Asides>;

export const StartProject = name(
  'StartProject',
  z.strictObject({
    request: text(3, 20_000).regex(/\S/, { error: 'must not be blank' }).describe('What is to be done'),
    mode: word.default('coding').describe('`coding`, `work`, `classic`, `errand` or `drill`'),
    variant: word
      .nullable()
      .default(null)
      .describe('`planning`, in coding mode: ends with the reviews and the plan, and changes nothing'),
    goal: Goal.nullable()
      .default(null)
      .describe('`green`: every test that fails at the start must pass at the end, not only those the request needs'),
    asides: Asides.optional().describe(
      'Which findings about something else than the request are fixed too. `P1`: P0 and P1 (the default); `P0`: P0 only; `none`: none',
    ),
    repo: z
      .strictObject({
        path: text(1, 4_096).describe('Absolute path of a git repository below QRALPH_REPO_ROOTS'),
        ref: text(1, 250).optional().describe('Branch, tag or commit at which the work begins; HEAD where unset'),
      })
      .optional()
      .describe('Required by every machine that works on a repository of yours'),
    parameters: Parameters.default({}),
    agents: z
      .strictObject({
        pin: z
          .array(text(1, 64))
          .max(16)
          .default([])
          .describe('Have a seat in any case; `built-in/sde-iii` says whose'),
        forbid: z.array(text(1, 64)).max(64).default([]).describe('Have none'),
        count: z
          .int()
          .min(1)
          .max(16)
          .optional()
          .describe('3 to 7 in coding mode, 1 to 3 in work mode, 5 in classic mode'),
      })
      .optional()
      .describe('Who reviews; `GET /v1/capabilities` lists who could'),
    runtime: word.optional().describe('`api`, or a CLI: `claude`, `codex`, `opencode`, `droid`'),
    models: z
      .partialRecord(z.enum(['small', 'medium', 'large']), text(1, 200))
      .optional()
      .describe('As provider:model'),
    setup: z.array(command).max(32).optional().describe('Commands that make a worktree ready; found out where unset'),
    copy: z.array(text(1, 1_000)).max(64).optional().describe('Files that git does not track, to be brought along'),
    verify: z.array(command).max(32).optional().describe('Commands that prove the work; found out where unset'),
    budget: z.strictObject({ usd: usd.optional(), tokens: tokens.optional() }).optional(),
    gates: z
      .record(identifier, z.boolean())
      .refine(atMost(32), { error: 'must have at most 32 gates' })
      .optional()
      .describe(
        'Which gates are on, of those that the mode lets be switched: `execute` and `complete` are off unless anybody switches them on, others are on; switching one off needs a human principal',
      ),
    sandbox: z.enum(['auto', 'limited', 'none']).optional().describe('Of the commands of agents'),
    webhook: ProjectWebhook.optional().describe('Who is told of this project; its secret is in the answer, once'),
    commitArtifacts: z.boolean().optional().describe('Whether the last commit carries the readable files'),
    labels: Labels.default({}),
  }),
);
export type StartProject = z.infer<typeof StartProject>;
