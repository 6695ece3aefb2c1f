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
});
export type InspectionOutput = z.infer<typeof InspectionOutput>;

export interface InspectInput {
  readonly request: string;
  readonly settled: string;
  readonly parts: readonly { readonly number: number; readonly title: string }[];
  readonly findings: readonly string[];
  readonly tests: readonly string[];
  readonly diff: string;
}

export const inspectPrompt: Prompt<InspectInput> = {
  version: 'inspect@1',
  system: [
    'You inspect a change that somebody else made for a request. You can read the repository as it is after the change; you change nothing. You do not know what its author says about it.',
    'For each listed part of the request: is it done by this change, completely and not only in appearance? A comment, a note or a rename that leaves the demand unfulfilled does not count.',
    'For each listed finding: is it fixed by this change?',
    'For each listed test: it existed before and was removed, skipped or changed, or it fails on the new code. That is right only if the request contradicts what the test asserts. Copy the words of the request that contradict it. If the request does not speak of it, the quote is null.',
    MATERIAL_RULE,
    'Finish with JSON: parts, findings, tests. Answer for each listed item, and for no others.',
  ].join('\n'),
  render: ({ request, settled, parts, findings, tests, diff }) =>
    joinParts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 4_000),
      parts.length > 0
        ? material('Parts', parts.map(({ number, title }) => `${String(number)}. ${title}`).join('\n'), 4_000)
        : null,
      findings.length > 0 ? material('Findings', findings.join('\n\n'), 8_000) : null,
      tests.length > 0 ? material('Tests', tests.join('\n'), 8_000) : null,
      material('The change', diff, 60_000),
    ),
};
