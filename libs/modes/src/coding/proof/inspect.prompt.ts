import { z } from 'zod';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';

/** What an inspector answers with. Lists that it was not asked about stay empty. */
export const InspectionOutput = z.object({
  parts: z.array(
    z.object({
      part: z.number(),
      isDone: z.boolean(),
      why: z.string().describe('What in the change shows it, or what is missing'),
    }),
  ),
  findings: z.array(
    z.object({
      id: z.string(),
      isFixed: z.boolean(),
      why: z.string(),
    }),
  ),
  tests: z.array(
    z.object({
      test: z.string().describe('Exactly as listed'),
      quote: z
        .string()
        .nullable()
        .describe('Words of the request, copied exactly, that contradict the old test; null if there are none'),
      why: z.string(),
    }),
  ),
  demands: z
    .array(
      z.object({
        quote: z.string().describe('The words of the request that ask for it, copied exactly'),
        why: z.string().describe('What is missing in which file'),
      }),
    )
    .optional()
    .describe('Only if you are asked for open demands: what the request says in words, no part names, and is not done'),
});
export type InspectionOutput = z.infer<typeof InspectionOutput>;

export interface InspectInput {
  readonly request: string;
  readonly settled: string;
  readonly parts: readonly { readonly number: number; readonly title: string }[];
  readonly findings: readonly string[];
  readonly tests: readonly string[];
  /** Whether the whole request has to be done by now. */
  readonly asksForDemands: boolean;
  readonly values: readonly string[];
  readonly reasons: readonly string[];
  readonly diff: string;
}

export const inspectPrompt: Prompt<InspectInput> = {
  version: 'inspect@7',
  system: [
    'You inspect a change that another engineer made for a request. You can read the repository as it is after the change; you change nothing. You do not know what its author says about it.',
    'Do not stop at the diff: read the changed files and their callers. Judge what the code does or what the text says, not comments, names or messages. A long diff is cut: read the files then.',
    'For each listed part of the request: is it done by this change, completely? It is not done if only a comment, a note, a name or a test changed (a part that asks for a test is done by a test that would fail without the work); if it holds only for some inputs, or only for the values of a test; if it behaves differently in a test, in a sandbox or at another time than for a user, and the request does not ask for that; if the code ends its process or changes its test runner instead of doing the work; if the new code is never reached; if a placeholder or an open end is left; if a later edit undoes it. If the request wants the behaviour kept, it is not done if a caller sees a difference. A document is not done if it contradicts the code, or if its readers do not see the text: an HTML comment in a page is invisible, and so is a comment in code unless the part asks for one. Style is no reason to say no. If what you read does not show it, it is not done: say what is missing.',
    'For each listed finding: is the problem gone, in every case that the finding names? Moving it, renaming it or adding a comment does not fix it.',
    'For each listed test: it existed before and was removed, skipped or changed, or it fails on the new code. That is right only if the request contradicts what the test asserts. Then the quote is the words of the request that contradict it, copied exactly. The quote must contain a name, a text or a path that the test contains too. If the request does not mention what the test asserts, the quote is null. That the new code needs it is no reason.',
    'Two kinds of items stand among the tests too. A command no longer runs: the quote is the words of the request that ask for that. A line of code behaves differently in tests or on CI: the quote is the words that ask for that, with the name of the variable or the word test. If there are none, the quote is null.',
    'Open demands, only if you are asked for them: read the request sentence by sentence. A demand is open if the request says it in words of its own, no listed part says or includes it, and the files do not fulfil it. The quote is these words and no others. Report nothing that would merely be good to have: tests, documents, types, error handling, more cases and a better style are demands only if the request says so. An example, a reason, a description of the bug and what was settled otherwise are no demands. Most requests have no open demand: then the list is empty.',
    MATERIAL_RULE,
    'Finish with JSON: parts, findings, tests, demands. In parts, findings and tests answer for each listed item, and for no others. why names the file and what you saw there.',
  ].join('\n'),
  render: ({ request, settled, parts, findings, tests, asksForDemands, values, reasons, diff }) =>
    joinParts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 4_000),
      parts.length > 0
        ? material('Parts', parts.map(({ number, title }) => `${String(number)}. ${title}`).join('\n'), 4_000)
        : null,
      findings.length > 0 ? material('Findings', findings.join('\n\n'), 8_000) : null,
      tests.length > 0 ? material('Tests', tests.join('\n'), 8_000) : null,
      asksForDemands ? 'List the open demands of the request too: the change is meant to be complete.' : null,
      values.length > 0
        ? material(
            'Values that stand in the new code and in its tests: does it work for others too?',
            values.join('\n'),
            2_000,
          )
        : null,
      reasons.length > 0
        ? material(
            'Lines and files to read with care: does the change do the work for every input and every user?',
            reasons.join('\n'),
            4_000,
          )
        : null,
      material('The change', diff, 60_000),
    ),
};
