import { z } from 'zod';
import { MATERIAL_RULE, material, parts, type Prompt } from '../../shared/prompt.js';
import type { RequestPart } from './request-plan.js';

/** What the author of checks answers with. Its files are read from the worktree. */
export const ChecksOutput = z.object({
  checks: z.array(
    z.object({
      part: z.number().describe('Number of the part that it checks'),
      title: z.string().describe('What must be true, in one line'),
      files: z.array(z.string()).describe('Paths of the new files that you wrote for it, relative to the root'),
      command: z
        .string()
        .nullable()
        .describe(
          'Shell command at the root: exit code 0 if and only if the part is done; null if no command can tell',
        ),
      why: z.string().describe('What it printed when you ran it now, or why no command can tell'),
    }),
  ),
});
export type ChecksOutput = z.infer<typeof ChecksOutput>;

export interface ChecksInput {
  readonly request: string;
  readonly settled: string;
  /** The parts that need a check, with their numbers. */
  readonly parts: readonly { readonly number: number; readonly part: RequestPart }[];
  readonly verify: string;
  readonly map: string;
  /** Why the last checks were not taken; empty the first time. */
  readonly refusal: string;
}

export const checksPrompt: Prompt<ChecksInput> = {
  version: 'checks@1',
  system: [
    'You write checks for a change that nobody has made yet. Another engineer makes the change and never sees your checks. The service runs them before and after the change: each must fail now and pass once the request is fulfilled.',
    'Write one check for each part, from the request and the public interface alone. Check what the request says, not one way to implement it: a correct implementation that you did not think of must pass. Use the values that the request names, and one or two more that follow from it. Do not check what the request leaves open.',
    'Each check is a command that runs at the root of the repository, without network, in a sandbox. Write its script or test into new files under `.qralph-checks/`; import the code of the repository by relative paths. Change no existing file. Fail by an assertion with a clear message, not by a crash: if an export may not exist yet, import the module as a whole and assert that the export is there.',
    'Run each check before you finish. It must fail now because the request is not fulfilled, and for no other reason: no wrong path, no syntax error, no missing dependency.',
    'Never use a check that reads the diff, the history, or the text of source files to decide whether code behaves as asked. Reading texts is right only if the request asks for a text.',
    MATERIAL_RULE,
    'Finish with JSON: the checks.',
  ].join('\n'),
  render: ({ request, settled, parts: needed, verify, map, refusal }) =>
    parts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 8_000),
      material(
        'Parts that need a check',
        needed.map(({ number, part }) => `${String(number)}. ${part.title}\nInterface: ${part.interface}`).join('\n\n'),
        12_000,
      ),
      material('How the repository runs its tests', verify, 2_000),
      map === '' ? null : material('Map of the repository', map, 12_000),
      refusal === '' ? null : material('Why your last checks were not taken', refusal, 8_000),
    ),
};
