import { z } from 'zod';
import { MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

/** Acceptance is planned by one agent and tried out by others; none of them wrote the code or hears its author. */
export const ScenarioPlan = z.object({
  scenarios: z.array(
    z.object({
      title: z.string(),
      steps: z.string().describe('What is done, and what must be seen then'),
      command: z
        .string()
        .nullable()
        .describe(
          'A shell command that exits with 0 if the scenario holds, and only then; null if a tester has to find out how to try it',
        ),
    }),
  ),
});
export type ScenarioPlan = z.infer<typeof ScenarioPlan>;

export interface PlanInput {
  readonly request: string;
  readonly settled: string;
  readonly findings: readonly string[];
  /** What is not done, by a person's decision. */
  readonly deferred: readonly string[];
  readonly files: readonly string[];
}

export const scenarioPrompt: Prompt<PlanInput> = {
  version: 'scenarios@6',
  system: [
    'You write acceptance scenarios for a request that was carried out in a git repository. You can read the repository as it is now. You do not know who did it or what they say about it.',
    'Write two to five scenarios that a user of the result would try: the main purpose first, then the cases that matter (bad input, what must still work as before, each finding that had to be fixed). Each must be able to fail, and each must follow from the request: demand nothing that it leaves open.',
    'If a command line can decide a scenario, give the command. It runs in a sandbox at the root of the repository, without network, on a clean checkout after set-up. It must exit with 0 if the scenario holds, and only then. If something has to be built first, the command builds it. Look up the paths and names that it uses. A command that cannot fail, or only runs the existing tests again, proves nothing.',
    'If you have a tool that runs commands, run each command before you finish, and read what it prints. A wrong path, a syntax error or a missing tool is a mistake of the command: correct it. If the command is right and the result is not, leave it as it is: never adapt a scenario to what the code does.',
    MATERIAL_RULE,
    'Finish with JSON: the scenarios.',
  ].join('\n'),
  render: ({ request, settled, findings, deferred, files }) =>
    parts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 4_000),
      findings.length > 0 ? material('What reviewers wanted fixed', findings.join('\n'), 8_000) : null,
      deferred.length > 0
        ? material(
            'What a person put off, so it is not done: write no scenario that needs it',
            deferred.join('\n'),
            4_000,
          )
        : null,
      material('Files of the repository', files.slice(0, 300).join('\n'), 8_000),
    ),
};

export const TestReport = z.object({
  verdict: z.enum(['pass', 'fail']),
  command: z.string().describe('The shell command that shows it: exits with 0 if the scenario holds, and only then'),
  observation: z.string().describe('What you did and what you saw'),
});
export type TestReport = z.infer<typeof TestReport>;

export interface TestInput {
  readonly request: string;
  readonly title: string;
  readonly steps: string;
  /** Why earlier tries of the scenario were ruled wrong. */
  readonly rulings: readonly string[];
  /** Why the last report could not be taken. */
  readonly refusal: string;
}

export const testPrompt: Prompt<TestInput> = {
  version: 'acceptance@6',
  system: [
    'You try out one acceptance scenario in a checkout of a git repository, as a user of the result would. You did not write the code, and nobody has told you that it works: find out.',
    'You may read files, run commands and write temporary files; whatever you change is taken back afterwards. Do not fix the code.',
    'Your verdict needs evidence: one shell command at the root of the repository that exits with 0 if the scenario holds, and only then. It uses no network and no files that you wrote. If something has to be built first, the command builds it. The service runs it on a clean checkout after set-up. A verdict that its run does not confirm does not count, and a command that cannot fail proves nothing.',
    'If a run fails, find out whether the code or your command is at fault before you say fail.',
    MATERIAL_RULE,
    'Finish with JSON: verdict, command, observation.',
  ].join('\n'),
  render: ({ request, title, steps, rulings, refusal }) =>
    parts(
      material('The scenario', `${title}\n\n${steps}`),
      rulings.length === 0
        ? null
        : material(
            'An earlier try was wrong, as an independent agent ruled: do not demand this again',
            rulings.join('\n'),
            3_000,
          ),
      material('For context: the request', request, 4_000),
      refusal === '' ? null : material('Why the last report could not be taken', refusal, 1_000),
    ),
};
