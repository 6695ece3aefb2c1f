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

/** What holds for each check, whoever writes it. */
export const CHECK_RULES: readonly string[] = [
  'Every correct implementation must pass, and every change that does not do the part must fail. Use the values that the request names, and one or two more that follow from it, so that an implementation made only for the named values fails. Test nothing that the request leaves open, such as exact wording, order or private names. Rely only on names in the interface and in the existing code.',
  'A check observes behaviour: it calls the code, runs the program or asks the server. It never reads the diff, the history or source files; in its run there is no git repository. It reads texts only if the request asks for a text.',
  'One kind of part is checked by reading its file: a settings file that nothing here can run, such as a CI workflow, a stylesheet or an ignore file. Parse it as its tool does, or let the tool answer in a scratch folder (`git check-ignore` after `git init`). Assert what the file settles, such as the commands of a job, and never its wording, order or layout.',
  'A check is one command at the root of the repository. Write its script or test into new files under `.qralph-checks/`, and import the code by relative paths. Change no existing file. The command runs on a clean checkout after set-up, in a sandbox without network. If something has to be built first, the command builds it. Do not rely on the clock, random values, fixed ports or the order of other runs. Let the exit code of the test reach the end of the command: no pipe and no `|| true` that hides it.',
  'Fail by an assertion with a clear message, not by a crash: if an export may not exist yet, import the module as a whole and assert that the export is there.',
  'Run each check before you finish. It must fail now because the part is not done, and for no other reason: no wrong path, no syntax error, no missing dependency. Read its output to be sure.',
];

export const checksPrompt: Prompt<ChecksInput> = {
  version: 'checks@5',
  system: [
    'You write checks for a change that nobody has made yet. Another engineer makes the change without seeing your checks. The service runs each check on the code before the change, where it must fail, and on the result, where it must pass.',
    'Write one check for each part, from the request and the interface alone.',
    ...CHECK_RULES,
    'Only if a part says that something stays as it is, its check passes now. It must pass afterwards too.',
    'If you are told that your check was ruled wrong, the change exists in this checkout. Then correct the mistake, or adapt the check to the names that the change introduced. Never adapt it to the behaviour of the change. It need not fail here, but it must still fail on the code before the change.',
    MATERIAL_RULE,
    'Finish with JSON: the checks. command is null only if no command can tell, such as for the look of a page.',
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
