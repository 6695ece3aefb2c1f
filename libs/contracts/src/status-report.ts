import { z } from 'zod';
import { Project, ProjectStatus, WaitingFor } from './project.js';
import { name } from './registry.js';
import { isoTime } from './text.js';

const Doing = z.strictObject({
  project: z.string().describe('The project itself, or a child of it'),
  effect: z.string(),
  attempt: z.int(),
  since: isoTime,
});

export const StatusReport = name(
  'StatusReport',
  z.strictObject({
    at: isoTime,
    state: z.string(),
    status: ProjectStatus,
    waitingFor: WaitingFor.nullable(),
    doing: z.array(Doing).describe('The effects that are under way'),
    agents: z.array(z.strictObject({ agent: z.string(), status: z.string() })),
    processes: z.int().describe('How many process trees run for it'),
    budget: Project.shape.budget,
    findings: Project.shape.findings,
    openProblems: z.int(),
    gates: z.array(z.string()).describe('The names of what waits for a person'),
    artifact: z.string().nullable().describe('Where all of it is: an artefact; null where it could not be written'),
    unwritten: z.string().nullable().describe('Why it could not'),
  }),
  'Where a project stands, as the command STATUS finds it',
);
export type StatusReport = z.infer<typeof StatusReport>;
