import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';

export const TeamMember = name(
  'TeamMember',
  z.strictObject({
    agent: z.string(),
    teammate: z.string().describe('Its name within the team'),
    tier: z.enum(['small', 'medium', 'large']),
    source: z.enum(['built-in', 'repository', 'user', 'plugin']),
    isCritical: z
      .boolean()
      .describe('If it fails twice, its seat goes to the next tier; then its partial output is used'),
    skills: z.array(z.string()),
    score: z.number(),
    reasons: z.array(z.string()).describe('Why it has a seat'),
    status: z
      .enum(['seated', 'running', 'done', 'partial', 'skipped', 'lost', 'shut-down'])
      .describe('`partial`: it did not finish, and what it had said until then is used'),
  }),
);
export type TeamMember = z.infer<typeof TeamMember>;

export const Team = name(
  'Team',
  z.strictObject({
    name: z.string(),
    domains: z.array(z.string()).describe('What the request is about'),
    members: z.array(TeamMember),
    status: z.enum(['composed', 'working', 'deleted']),
  }),
);
export type Team = z.infer<typeof Team>;

export const ProjectTask = name(
  'ProjectTask',
  z.strictObject({
    id: z.string().describe('As in `T-001`'),
    kind: z
      .enum(['review', 'finding', 'request', 'scenario', 'feedback', 'step', 'proof'])
      .describe(
        '`request`: a step of the request; `feedback`: what a person wants changed before the project is completed; `step`: of the plan of work mode; `proof`: what is missing for a proof',
      ),
    title: z.string(),
    detail: z.string(),
    owner: z.string().nullable(),
    status: z.enum(['pending', 'in_progress', 'completed', 'skipped', 'deferred']),
    finding: z.string().nullable().describe('The finding that it is about'),
    commit: z.string().nullable(),
    note: z.string().nullable().describe('What became of it'),
  }),
);
export type ProjectTask = z.infer<typeof ProjectTask>;

export const TaskList = name('TaskList', listOf(ProjectTask));

export const TeamMessage = name(
  'TeamMessage',
  z.strictObject({
    seq: z.int(),
    from: z.string(),
    to: z.string(),
    kind: z.enum(['task', 'summary', 'health', 'shutdown_request', 'shutdown_ack', 'shutdown_forced']),
    text: z.string(),
  }),
);
export type TeamMessage = z.infer<typeof TeamMessage>;

export const MessageList = name('MessageList', listOf(TeamMessage));
