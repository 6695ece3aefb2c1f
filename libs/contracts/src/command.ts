import { z } from 'zod';
import { Principal } from './api-key.js';
import { listOf } from './list.js';
import { name } from './registry.js';
import { StatusReport } from './status-report.js';
import { checkpointSeen, isoTime } from './text.js';

export const Command = z.enum(['PAUSE', 'RESUME', 'SKIP', 'ABORT', 'STATUS', 'ESCALATE', 'RETRY']);
export type Command = z.infer<typeof Command>;

export const GiveCommand = name(
  'GiveCommand',
  z.strictObject({
    command: Command,
    checkpoint: checkpointSeen
      .optional()
      .describe('The checkpoint you looked at: refused if the project has moved on; STATUS is answered all the same'),
  }),
);
export type GiveCommand = z.infer<typeof GiveCommand>;

export const CommandAccepted = name(
  'CommandAccepted',
  z.strictObject({
    id: z.uuid(),
    projectId: z.uuid(),
    command: Command,
    status: StatusReport.optional().describe('What STATUS was answered with'),
  }),
  'Takes effect at the next safe point; the event `signal.applied` or `signal.noted` that carries this id says what it did',
);
export type CommandAccepted = z.infer<typeof CommandAccepted>;

const CommandDoor = z.enum(['api', 'file']);
const CommandOutcome = z.enum(['pending', 'applied', 'noted', 'refused']);

export const GivenCommand = name(
  'GivenCommand',
  z.strictObject({
    id: z.uuid(),
    command: Command,
    door: CommandDoor.describe('Through which it came: the API (the CLI too), or CONTROL.md'),
    by: z.strictObject({
      principal: Principal,
      key: z.strictObject({ id: z.uuid(), name: z.string().nullable() }).nullable().describe('Null for CONTROL.md'),
    }),
    at: isoTime,
    state: z.string().nullable().describe('In which it was given'),
    outcome: CommandOutcome.describe(
      '`pending`: waits for the next safe point; `applied`; `noted`: it changed nothing, `effect` says why; `refused`: it was not taken',
    ),
    effect: z.string().describe('What it did, or why it did nothing, in words'),
  }),
);
export type GivenCommand = z.infer<typeof GivenCommand>;

export const GivenCommandList = name('GivenCommandList', listOf(GivenCommand));
