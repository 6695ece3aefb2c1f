import { z } from 'zod';
import type { Finding } from '#contracts';
import { MATERIAL_RULE, material, parts, type Prompt } from '../../shared/prompt.js';
import { RequestClass } from './request-plan.js';

const Relation = z.enum(['is-request', 'before', 'after', 'aside']);

/** What the planner answers with. Bounds are enforced by `buildPlan`, so a long text costs no second answer. */
export const PlannerOutput = z.object({
  class: RequestClass.describe(
    'behaviour: the program does something else afterwards; keeps-behaviour: a refactoring; document: texts only; tests-only: only tests are added',
  ),
  parts: z
    .array(
      z.object({
        title: z.string().describe('One thing that the request asks for, as a sentence that can be true or false'),
        interface: z
          .string()
          .describe('The exports, commands, flags, routes or texts through which the part can be observed'),
        failingTests: z
          .array(z.string())
          .describe('Failing tests of the baseline that pass once this part is done; names exactly as listed'),
      }),
    )
    .describe('Usually one; one for each independent demand of the request'),
  steps: z
    .array(
      z.object({
        title: z.string(),
        detail: z.string().describe('What the implementer has to know: files, functions, pitfalls'),
        parts: z.array(z.number()).describe('Numbers of the parts that it works on, from 1'),
        findings: z.array(z.string()).describe('Ids of the findings that it fixes'),
        check: z.string().describe('How one sees that it is done'),
      }),
    )
    .describe('In order. As few as possible: each step is one commit by one engineer'),
  findings: z
    .array(z.object({ id: z.string(), relation: Relation }))
    .describe('The findings whose relation the reviewers got wrong; others need not be listed'),
  failuresInScope: z
    .array(z.string())
    .describe('Failing tests of the baseline that this request has to make pass; names exactly as listed'),
});
export type PlannerOutput = z.infer<typeof PlannerOutput>;

export interface PlannerInput {
  readonly request: string;
  /** Answers, assumptions and an approved plan. */
  readonly settled: string;
  /** Steps of a plan that a person approved: each has to be carried out. */
  readonly approvedSteps: readonly string[];
  readonly baseline: string;
  readonly failures: readonly string[];
  readonly findings: readonly Finding[];
  readonly advice: readonly string[];
  readonly map: string;
}

export const plannerPrompt: Prompt<PlannerInput> = {
  version: 'planner@1',
  system: [
    'You plan one change to a git repository before anybody makes it. Reviewers have read the code. You can read it too; you change nothing.',
    'Decide what the request asks for (its parts), what kind of change it is (its class), and the fewest steps that carry it out. Most requests have one part and one step. Tests for a step belong to the step.',
    'A reviewer often reports the requested bug itself: such a finding is the request, and the step that fixes it names the finding. A finding that must be fixed before the request comes first (before). A finding about the result, such as a missing test for the new behaviour, comes after. Anything else is aside. Do not plan steps for findings that are aside.',
    'A failing test of the baseline is in scope if this request has to make it pass. Other failing tests are known failures: leave them alone.',
    'The interface of a part is what an independent tester may rely on without reading the implementation. Name only what the request or the existing code fixes; if the request leaves a name open, choose one and put it here.',
    MATERIAL_RULE,
    'Finish with JSON: class, parts, steps, findings, failuresInScope.',
  ].join('\n'),
  render: ({ request, settled, approvedSteps, baseline, failures, findings, advice, map }) =>
    parts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 8_000),
      approvedSteps.length > 0
        ? material('Steps that a person approved: plan each of them, in this order', approvedSteps.join('\n'), 8_000)
        : null,
      material('The verify commands before any change', baseline, 4_000),
      failures.length > 0 ? material('Failing tests of the baseline', failures.join('\n'), 8_000) : null,
      findings.length > 0 ? material('Findings of the reviewers', findings.map(describeFinding).join('\n\n')) : null,
      advice.length > 0 ? material('What the reviewers advise', advice.join('\n\n'), 12_000) : null,
      map === '' ? null : material('Map of the repository', map, 12_000),
    ),
};

export function describeFinding({ id, priority, relation, title, body, file, line }: Finding): string {
  const place = file === null ? '' : ` at ${file}${line === null ? '' : `:${String(line)}`}`;
  return `${id} ${priority} (${relation})${place}: ${title}\n${body.slice(0, 1_000)}`;
}
