import { z } from 'zod';
import type { Finding } from '#contracts';
import { MATERIAL_RULE, material, parts, type Prompt } from '../../shared/prompt.js';
import { PartKind, RequestClass } from './request-plan.js';

const Relation = z.enum(['is-request', 'before', 'after', 'aside']);

/** What the planner answers with. Bounds are enforced by `buildPlan`, so a long text costs no second answer. */
export const PlannerOutput = z.object({
  class: RequestClass.describe(
    'behaviour: the program does something else afterwards; keeps-behaviour: a refactoring; document: texts only; tests-only: only tests are added',
  ),
  parts: z
    .array(
      z.object({
        title: z.string().describe('One demand of the request, as a sentence that is false now and true afterwards'),
        interface: z
          .string()
          .describe('The exports, commands, flags, routes or texts through which the part can be observed'),
        failingTests: z
          .array(z.string())
          .describe('Failing tests of the baseline that pass once this part is done; names exactly as listed'),
        kind: PartKind.optional().describe(
          'document: a text for people, which no program prints; tests: only tests are added; behaviour: everything else',
        ),
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
        check: z.string().describe('How to see that it is done: a command and its result, or what must be true'),
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

/** Rules for every plan, whoever makes it. */
export const PART_RULE =
  'Parts: the demands of the request. A part is one sentence that is false now and true after the change, and that can be observed from outside. Each independent demand is a part; most requests have one. "Everything else still works" is no part: the existing tests decide that. Tests and documents are parts only if the request asks for them: each of its own, of kind document or tests.';

export const CLASS_RULE =
  'Class: behaviour if a user or caller sees a difference afterwards (a bug fix, a feature, a removal, another output, another script). keeps-behaviour for a refactoring. document if only texts change that no program reads. tests-only if only tests are added. If in doubt, choose behaviour.';

export const SCOPE_RULE =
  'Failing tests of the baseline, which ran before any change: read the test before you decide. It is in scope if the request is unfulfilled while it fails. Name it in failingTests of a part only if it tests exactly this part: it is then the check of the part. Leave other failing tests alone.';

export const plannerPrompt: Prompt<PlannerInput> = {
  version: 'planner@3',
  system: [
    'You plan one change to a git repository before anybody makes it. Reviewers have read the code. You can read it too; you change nothing. Read only what the plan depends on.',
    PART_RULE,
    CLASS_RULE,
    'Interface of a part: the exports, flags, routes, files or texts through which an independent tester observes it without reading the implementation. Name what the request or the existing code fixes. If the request leaves a name open, choose one that fits the code: implementer and tester both use it.',
    'Steps: as few as possible, usually one. Each is one commit by one engineer, after which no test fails that passed before. Each part belongs to a step. Tests and documents for a step belong to the step. The detail says where to work: files, functions, callers, pitfalls. If a person approved steps, plan exactly these, in their order.',
    'Findings: a reviewer often reports the requested bug itself. Such a finding is-request, and the step that fixes it names its id. before: the request cannot be done until it is fixed. after: it is about the result, such as a missing test for the new behaviour. aside: everything else; plan no step for it.',
    SCOPE_RULE,
    MATERIAL_RULE,
    'Finish with JSON: class, parts, steps, findings, failuresInScope. Copy ids and names of tests exactly as listed.',
  ].join('\n'),
  render: ({ request, settled, approvedSteps, baseline, failures, findings, advice, map }) =>
    parts(
      material('The request', request),
      settled === '' ? null : material('What was settled before', settled, 8_000),
      approvedSteps.length > 0
        ? material('Steps that a person approved: plan each of them, in this order', approvedSteps.join('\n'), 8_000)
        : null,
      material('The verify commands before any change', baseline, 8_000),
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
