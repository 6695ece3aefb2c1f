import type { ProjectTask } from '#contracts';

/** What the service itself saw when it ran a scenario's command. */
export interface Evidence {
  readonly command: string;
  readonly exitCode: number | null;
  readonly endedBy: string;
  /** Its end. */
  readonly output: string;
  /** What a test runner that is known said of its tests; left out where none spoke. */
  readonly tests?: { readonly passed: number; readonly failed: number };
  readonly tree: string;
}

/** Something that must be true for the request to be fulfilled, as somebody who uses the result would try it. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What is done, and what must be seen. */
  readonly steps: string;
  /** Exits with 0 where the scenario holds; null: an agent finds out how to try it. */
  readonly command: string | null;
  readonly verdict: 'open' | 'passed' | 'failed' | 'skipped' | 'waived';
  /** What was observed, or why it was skipped. */
  readonly because: string;
  readonly by: string | null;
  /** The tree that it was tried on: on another one it has to be tried again. */
  readonly triedOn: string | null;
  readonly evidence: Evidence | null;
}

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
