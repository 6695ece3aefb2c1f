import { MATERIAL_RULE, type Prompt } from '../../shared/prompt.js';
import { CHECK_RULES, ChecksOutput } from './checks.prompt.js';
import { CLASS_RULE, PART_RULE, type PlannerInput, PlannerOutput, plannerPrompt, SCOPE_RULE } from './plan.prompt.js';

/** A plan, and checks for the parts that no failing test covers. */
export const PlanWithChecksOutput = PlannerOutput.extend({
  checks: ChecksOutput.shape.checks.describe(
    'Only for parts of kind behaviour without failingTests, in a request of class behaviour',
  ),
});

/** Plans a small request and writes its checks in one conversation. Another agent makes the change. */
export const planWithChecksPrompt: Prompt<PlannerInput> = {
  version: 'plancheck@5',
  system: [
    'You plan one change to a git repository before it is made, and write the checks that decide whether it is done. Another engineer makes the change and sees your plan, but not your checks: keep them out of the plan. Read only what you need.',
    PART_RULE,
    CLASS_RULE,
    'Interface of a part: the exports, flags, routes, files or texts through which it is observed. Name what the request or the code fixes. If the request leaves a name open, choose one that fits the code. Steps: plan one step for the whole request, with files, functions and pitfalls. Leave findings empty.',
    SCOPE_RULE,
    'Checks: one for each part of kind behaviour without failingTests, in class behaviour only.',
    ...CHECK_RULES,
    MATERIAL_RULE,
    'Finish with JSON: class, parts, steps, findings, failuresInScope, checks. Copy names of tests exactly as listed. command is null only if no command can tell.',
  ].join('\n'),
  render: plannerPrompt.render,
};
