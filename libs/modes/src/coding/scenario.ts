import { z } from 'zod';
import type { ProjectTask } from '#contracts';

/** What the service itself saw when it ran a scenario's command. */
export const Evidence = z.strictObject({
  command: z.string(),
  exitCode: z.number().nullable(),
  endedBy: z.string(),
  /** The end of it. */
  output: z.string(),
  /** What a known test runner reported. */
  tests: z.strictObject({ passed: z.number(), failed: z.number() }).optional(),
  tree: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

/** What an independent agent said when the implementer disputed a scenario. */
export const ScenarioRuling = z.strictObject({ isWrong: z.boolean(), why: z.string() });
export type ScenarioRuling = z.infer<typeof ScenarioRuling>;

/** Something that must be true if the request is fulfilled, as a user of the result would try it. */
export const Scenario = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** What is done, and what must be seen. */
  steps: z.string(),
  /** Exits with 0 if the scenario holds; null: an agent finds out how to try it. */
  command: z.string().nullable(),
  verdict: z.enum(['open', 'passed', 'failed', 'skipped', 'waived']),
  /** What was observed, or why it was skipped. */
  because: z.string(),
  by: z.string().nullable(),
  /** The tree that it was tried on: on another one it has to be tried again. */
  triedOn: z.string().nullable(),
  evidence: Evidence.nullable(),
  rulings: z.array(ScenarioRuling).optional(),
});
export type Scenario = z.infer<typeof Scenario>;

/** Whether a person left it out. What the service skips has been tried before. */
export const isLeftOutByPerson = ({ verdict, by }: Pick<Scenario, 'verdict' | 'by'>): boolean =>
  verdict === 'waived' || (verdict === 'skipped' && by === null);

/** Whether it was tried, and nothing that was seen decides it: that says nothing about the work. */
export const isUndecided = ({ verdict, by }: Pick<Scenario, 'verdict' | 'by'>): boolean =>
  verdict === 'skipped' && by !== null;

/** The verdict in the words of readable pages. */
export const describeVerdict = (scenario: Pick<Scenario, 'verdict' | 'by'>): string =>
  isUndecided(scenario) ? 'not decided' : scenario.verdict;

export const untried = { verdict: 'open', because: '', by: null, triedOn: null, evidence: null } as const;

/** Where the planner had nothing to say, the request is what has to hold. */
export const requestItself = (request: string): Scenario => ({
  id: 'S-001',
  title: 'The request is fulfilled',
  steps: request.slice(0, 4_000),
  command: null,
  ...untried,
});

/** What a person wanted changed, and was carried out, has to hold too. */
export const withFeedback = (
  scenarios: readonly Scenario[],
  tasks: readonly Pick<ProjectTask, 'id' | 'kind' | 'status' | 'title' | 'detail'>[],
): readonly Scenario[] => [
  ...scenarios,
  ...tasks
    .filter(({ kind, status }) => kind === 'feedback' && status === 'completed')
    .filter(({ id }) => !scenarios.some((scenario) => scenario.id === `S-${id}`))
    .map(({ id, title, detail }) => ({
      id: `S-${id}`,
      title: `As a person wanted it: ${title}`.slice(0, 200),
      steps: detail.slice(0, 4_000),
      command: null,
      ...untried,
    })),
];
