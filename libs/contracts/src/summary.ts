import { z } from 'zod';
import { Project, ProjectStatus } from './project.js';
import { name } from './registry.js';
import { checksum, isoTime } from './text.js';

const more = z.int().describe('How many more there are that this summary has no room for');

export const ProjectSummary = name(
  'ProjectSummary',
  z.strictObject({
    headline: z.array(z.string()).length(3).describe('How it stands, who is waited for, what to do next'),
    project: z.strictObject({
      id: z.uuid(),
      name: z.string(),
      mode: z.string(),
      state: z.string(),
      status: ProjectStatus,
      request: z.string().describe('Cut where it is long'),
      repo: z.string().nullable(),
      branch: z.string().nullable(),
      team: z.string().nullable(),
      checkpoint: z.strictObject({ seq: z.int(), checksum }),
      createdAt: isoTime,
      updatedAt: isoTime,
    }),
    simulated: z.boolean(),
    proven: Project.shape.proven,
    waitingFor: z
      .strictObject({
        who: z
          .enum(['person', 'time', 'children', 'step', 'service'])
          .describe('`step`: a pause waits for the step at hand; `service`: for a version that can run the machine'),
        ask: z.string(),
        why: z.string().nullable(),
        options: z.array(z.string()),
        answer: z.string().nullable().describe('The call that answers it'),
        until: isoTime.nullable(),
      })
      .nullable(),
    next: z.array(z.string()),
    unknown: z.strictObject({
      items: z.array(z.strictObject({ what: z.string(), then: z.string() })),
      more,
    }).describe('Of which nobody knows how it stands, and what becomes of it'), // prettier-ignore
    current: z.array(z.string()),
    plan: z.strictObject({
      done: z.int(),
      total: z.int(),
      items: z.array(z.strictObject({ box: z.enum(['x', '~', ' ', '-']), text: z.string() })),
      more,
    }),
    uncommitted: z.strictObject({
      isKnown: z.boolean(),
      files: z.array(z.string()),
      more,
    }),
    budget: Project.shape.budget,
    findings: z.strictObject({
      counts: Project.shape.findings,
      open: z.array(z.string()),
      more,
    }),
    problems: z.strictObject({ items: z.array(z.string()), more }),
    log: z.strictObject({ rows: z.array(z.string()), more }),
  }),
  'Where a project stands, in under 2,000 tokens; as text with `Accept: text/markdown`',
);
export type ProjectSummary = z.infer<typeof ProjectSummary>;
