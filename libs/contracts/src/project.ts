import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';
import { LABEL_KEY } from './start-project.js';
import { anyJson, checksum, isoTime, text, usd } from './text.js';
import { StartedWebhook } from './webhook.js';

export const ProjectStatus = z.enum(['running', 'waiting', 'paused', 'blocked', 'completed', 'aborted', 'failed']);
export type ProjectStatus = z.infer<typeof ProjectStatus>;

export const WaitingFor = name(
  'WaitingFor',
  z.looseObject({ kind: z.string() }),
  'Why nothing happens now: `gate` (with its `options`, their `consequences`, the `default` with its time, `openedAt` and, as `why`, what led there; of the machine, or `settle-effect`: an effect whose outcome only a person knows), `children` (each with key, id and status), `time` (`until` when), `rate-limit` (of a model’s provider, `until` when, with its `words`), `pausing` (`since` when: it was told to pause and is on its way to its next safe point, or its `children` are), `step-failed`, `checkpoint`, `machine`, …',
);
export type WaitingFor = z.infer<typeof WaitingFor>;

const amount = <S extends z.ZodType>(of: S) =>
  z.strictObject({ cap: of.nullable(), used: of, reserved: of.optional() });

export const Proven = z
  .enum(['yes', 'no', 'simulated'])
  .describe(
    'Whether the service saw that the request is done. Also `no` if a person skipped or waived a part of the acceptance. `simulated`: a simulated model took part, so nothing is proven. Null until it is judged',
  );
export type Proven = z.infer<typeof Proven>;

export const Proof = name('Proof', z.looseObject({ evidence: z.array(z.string()) }));
export type Proof = z.infer<typeof Proof>;

export const Project = name(
  'Project',
  z.strictObject({
    id: z.uuid(),
    number: z.int().nullable(),
    name: z.string(),
    mode: z.string(),
    machine: z.string(),
    escalated: z.boolean().describe('Whether work mode has outgrown its small team, and goes on as coding mode does'),
    machineVersion: z.int(),
    state: z.string(),
    status: ProjectStatus,
    waitingFor: WaitingFor.nullable(),
    request: z.string(),
    parameters: z.record(z.string(), anyJson),
    labels: z.record(z.string(), z.string()),
    repo: z.strictObject({ path: z.string(), ref: z.string().nullable() }).nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
    team: z.strictObject({ name: z.string(), agents: z.array(z.string()) }).nullable(),
    findings: z.strictObject({ P0: z.int(), P1: z.int(), P2: z.int() }),
    healing: z.strictObject({ attempt: z.int(), model: z.string().nullable(), problem: z.string().nullable() }),
    budget: z.strictObject({ usd: amount(usd), tokens: amount(z.int()) }).nullable(),
    workspace: z
      .strictObject({
        branch: z.string(),
        baseCommit: z.string(),
        headCommit: z.string(),
        sandbox: z
          .string()
          .nullable()
          .describe('Where the agent’s commands run: `bubblewrap`, `limited` or `none`; verify reports name their own'),
      })
      .nullable()
      .describe('Null until the project has a worktree'),
    proven: Proven.nullable(),
    proof: Proof.nullable().describe('What the service saw that proves the request is done; null if it saw nothing'),
    simulated: z.boolean().describe('Whether a simulated model took part, from its first call on'),
    checkpoint: z.strictObject({ seq: z.int(), checksum }),
    traceId: z.string().nullable(),
  }),
);
export type Project = z.infer<typeof Project>;

export const StartedProject = name(
  'StartedProject',
  Project.extend({ webhook: StartedWebhook.optional().describe('The endpoint that the start asked for') }),
);
export type StartedProject = z.infer<typeof StartedProject>;

export const ProjectList = name('ProjectList', listOf(Project));

export const ProjectQuery = z.strictObject({
  ...pageQuery,
  state: text(1, 100).optional(),
  status: ProjectStatus.optional(),
  mode: text(1, 100).optional(),
  label: z
    .string()
    .max(300)
    .regex(/^[^:]+:/, { error: 'must be key:value' })
    .refine((label) => LABEL_KEY.test(label.slice(0, label.indexOf(':'))), { error: 'must begin with a label key' })
    .refine((label) => !label.includes('\u0000'), { error: 'must not carry the character U+0000' })
    .optional()
    .describe('key:value'),
});
export type ProjectQuery = z.infer<typeof ProjectQuery>;

/** A project's id, or its name as in `001-dark-mode-toggle`. */
export const ProjectParams = z.strictObject({ id: z.string().min(1).max(200) });
