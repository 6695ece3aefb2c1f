import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { baselineOf } from '../../shared/work-parts.js';
import type { FailingTest } from '../../shared/failing-tests.js';
import { findUnchanged } from './unchanged-failures.js';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { repeatable } from '../../shared/repeatable.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { ARBITER } from './rule-on-check.js';

const ScopeOutput = z.object({
  isInScope: z.boolean().describe('Whether the request asks for this test to pass'),
  why: z.string().describe('Which words of the request decide it'),
});

interface ScopeInput {
  readonly request: string;
  readonly tests: readonly string[];
  readonly output: string;
}

export const scopePrompt: Prompt<ScopeInput> = {
  version: 'scope@2',
  system: [
    'A change was made for a request. Some tests fail that failed in the same way before the change. A program guessed that they belong to the request, because they share a name with it. You decide. You can read the repository; you change nothing.',
    'Read the failing tests first. They belong to the request if it asks for what they test, or if the person who made the request would call it unfulfilled while they fail. They do not belong to it if they are about something else that only has a similar name. That they are hard to fix is no reason.',
    'You answer for all listed tests together: if one of them belongs to the request, isInScope is true.',
    MATERIAL_RULE,
    'Finish with JSON: isInScope, and why, with the words of the request that decide it.',
  ].join('\n'),
  render: ({ request, tests, output }) =>
    joinParts(
      material('The request', request, 8_000),
      material('The tests', tests.join('\n'), 4_000),
      material('What they print now; they failed before the change too', output, 8_000),
    ),
};

export type ScopeRuling =
  /** `left` are the failures that stay in scope. */
  | { readonly kind: 'ruled'; readonly left: readonly FailingTest[]; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/**
 * Failures that only the service put in scope, and that print the same as before the change, are ruled on once by an
 * independent agent. What it takes out becomes a known failure, and SUMMARY.md says so. Nothing else ever leaves the
 * scope: a failure that prints something else was touched by the change.
 */
export async function ruleOnScope(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { failing, commit }: { readonly failing: readonly FailingTest[]; readonly commit: string },
): Promise<ScopeRuling> {
  const { requestPlan: plan } = contextOf(activity);
  const guessed = new Set(plan?.scope.filter(({ isGuess }) => isGuess === true).map(({ name }) => name));
  const doubtful = findUnchanged(
    failing.filter(({ name }) => guessed.has(name)),
    baselineOf(activity),
  );
  const [first] = doubtful;
  if (!plan || !first) return { kind: 'ruled', left: failing, patch: {} };
  const names = [...new Set(doubtful.map(({ name }) => name))];
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: `${ARBITER}/scope`,
      role: ARBITER,
      purpose: 'rule-on-scope',
      attempt: 1,
      tier: 'medium',
      prompt: scopePrompt,
      input: { request: activity.project.request, tests: names, output: first.output.slice(-8_000) },
      access: 'read',
      output: { name: 'scope', type: ScopeOutput },
      limits: LIMITS.plan,
    },
  );
  const stop = stopOf(outcome);
  if (stop) return { kind: 'stopped', outcome: stop, patch: {} };
  const read = ScopeOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  const ruling = read.success ? read.data : { isInScope: true, why: 'The arbiter gave no ruling.' };
  await repeatable(activity, 'scope/ruled', async (run) => {
    run.tell('scope.ruled', { tests: names.slice(0, 20), isInScope: ruling.isInScope, why: ruling.why.slice(0, 500) });
  });
  const why = `It prints the same without the change. ${ruling.why}`.slice(0, 500);
  // A ruling is made once: what stays in scope is no guess any more.
  const scope = ruling.isInScope
    ? plan.scope.map(({ name, reason }) => ({ name, reason }))
    : plan.scope.filter(({ name }) => !names.includes(name));
  const outOfScope = [...(plan.outOfScope ?? []), ...(ruling.isInScope ? [] : names.map((name) => ({ name, why })))];
  const patch = { ...simulatedBy(outcome), ...patchOf({ requestPlan: { ...plan, scope, outOfScope } }) };
  return { kind: 'ruled', left: failing.filter(({ name }) => ruling.isInScope || !names.includes(name)), patch };
}
