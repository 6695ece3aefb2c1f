import { MATERIAL_RULE, type Prompt } from '../../shared/prompt.js';
import { ChecksOutput } from './checks.prompt.js';
import { type PlannerInput, PlannerOutput, plannerPrompt } from './plan.prompt.js';

/** A plan, and checks for the parts that no failing test covers. */
export const PlanWithChecksOutput = PlannerOutput.extend({
  checks: ChecksOutput.shape.checks.describe('Only for parts of class behaviour without failingTests'),
});

/** Plans a small request and writes its checks in one conversation. Another agent makes the change. */
export const planWithChecksPrompt: Prompt<PlannerInput> = {
  version: 'plancheck@1',
  system: [
    'You plan one change to a git repository before it is made, and write the checks that decide whether it is done. Another engineer makes the change without seeing your checks. Read only what you need: your turns are few.',
    'Parts: the demands of the request. A part is one sentence that is false now and true after the change, and that can be observed from outside. Most requests have one part; each independent demand is a part. "Everything else still works" is no part. Tests and documents that go with a change are no parts, unless the request asks for them.',
    'Class: behaviour if a user or caller sees a difference afterwards (a bug fix, a feature, a removal, another output). keeps-behaviour for a refactoring. document if only texts change that no program reads. tests-only if only tests are added. If in doubt, choose behaviour.',
    'Interface of a part: the exports, flags, routes, files or texts through which it is observed. Name what the request or the code fixes. If the request leaves a name open, choose one that fits the code. Steps: plan one step for the whole request, with files, functions and pitfalls. findings is empty.',
    'Failing tests of the baseline: read the test before you decide. It is in scope if the request is unfulfilled while it fails. Name it in failingTests of a part only if it tests exactly this part: it is then the check of the part, and you write none. Leave other failing tests alone.',
    'Checks: one for each other part, and only if the class is behaviour. Every correct implementation must pass, and every change that does not do the part must fail. Use the values that the request names, and one or two more that follow from it. Test nothing that the request leaves open. A check observes behaviour: it calls the code or runs the program. It never reads the diff, the history or source files, and texts only if the request asks for a text.',
    'A check is one command at the root. Write its script or test into new files under `.qralph-checks/`, and import the code by relative paths. Change no existing file. It runs on a clean checkout after set-up, without network. Let its exit code reach the end of the command. Fail by an assertion with a clear message: if an export may not exist yet, import the module as a whole and assert that it is there.',
    'Run each check before you finish. It must fail now because the part is not done, and for no other reason: no wrong path, no syntax error, no missing dependency.',
    MATERIAL_RULE,
    'Finish with JSON: class, parts, steps, findings, failuresInScope, checks. Copy names of tests exactly as listed. command of a check is null only if no command can tell.',
  ].join('\n'),
  render: plannerPrompt.render,
};
