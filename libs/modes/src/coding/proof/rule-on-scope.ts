import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Tier } from '#models';
import { splitByFailure } from '#proof';
import type { VerifyReport, Worktree } from '#workspace';
import { baselineOf } from '../../shared/work-parts.js';
import type { FailingTest } from '../../shared/failing-tests.js';
import { findUnchanged } from './unchanged-failures.js';
import { MATERIAL_RULE, material, materialList, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { repeatable } from '../../shared/repeatable.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { ARBITER } from './rule-on-check.js';

const ScopeOutput = z.object({
  rulings: z.array(
    z.object({
      test: z.number().describe('The number of the test in the list'),
      isInScope: z.boolean().describe('Whether the request asks for this test to pass'),
      why: z.string().describe('Which words of the request decide it'),
    }),
  ),
});
type Ruling = z.infer<typeof ScopeOutput>['rulings'][number];

interface ScopeInput {
  readonly request: string;
  readonly tests: readonly string[];
  /** What each test prints, under its number. */
  readonly outputs: readonly string[];
}

export const scopePrompt: Prompt<ScopeInput> = {
  version: 'scope@3',
  system: [
    'A change was made for a request. Some tests fail that failed in the same way before the change. A planner or a program guessed that they belong to the request, often because they share a name with it. You decide. You can read the repository; you change nothing.',
    'Read the failing tests first. A test belongs to the request if the request asks for what it tests, or if the person who made the request would call it unfulfilled while the test fails. It does not belong to it if it is about something else that only has a similar name. That it is hard to fix is no reason.',
    'You answer for each listed test by itself: one of them may belong to the request, and another one not.',
    MATERIAL_RULE,
    'Finish with JSON: rulings, one for each listed test. Each has test, the number in the list; isInScope; and why, with the words of the request that decide it.',
  ].join('\n'),
  render: ({ request, tests, outputs }) =>
    joinParts(
      material('The request', request, 8_000),
      material('The tests', tests.map((name, index) => `${String(index + 1)}. ${name}`).join('\n'), 12_000),
      materialList('What they print now; they failed before the change too', outputs, 16_000, '\n\n'),
    ),
};

/** The others are ruled on at the next attempt. */
const MOST_TESTS = 40;
const LONGEST_NAME = 250;
const LONGEST_OUTPUT = 3_000;
/** An arbiter without a valid answer is replaced once. */
const TIERS: readonly Tier[] = ['medium', 'large'];

export type ScopeRuling =
  /** `left` are the failures that stay in scope. */
  | { readonly kind: 'ruled'; readonly left: readonly FailingTest[]; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

interface Wish {
  readonly failing: readonly FailingTest[];
  readonly commit: string;
  /** The plan and what ran on the base, if they are not those of the context. */
  readonly plan?: RequestPlan;
  readonly baseline?: VerifyReport;
  /** Must differ if one visit rules more than once. */
  readonly step?: string;
}

/**
 * Failures in scope that cover no part of the request, and that print the same as before the change, are ruled on once by
 * an independent agent, each by itself. What it takes out becomes a known failure, and SUMMARY.md says so. Nothing else
 * ever leaves the scope: a failure that prints something else was touched by the change.
 */
export async function ruleOnScope(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { failing, commit, step = 'scope', ...given }: Wish,
): Promise<ScopeRuling> {
  const plan = given.plan ?? contextOf(activity).requestPlan;
  const guessed = new Set(plan?.scope.filter(({ isGuess }) => isGuess === true).map(({ name }) => name));
  const doubtful = findUnchanged(
    failing.filter(({ name }) => guessed.has(name)),
    given.baseline ?? baselineOf(activity),
  );
  const names = [...new Set(doubtful.map(({ name }) => name))].slice(0, MOST_TESTS);
  if (!plan || names.length === 0) return { kind: 'ruled', left: failing, patch: {} };
  const asked = await askArbiter(parts, activity, worktree, { names, doubtful, commit, step });
  if (asked.kind === 'stopped') return asked;
  const { rulings } = asked;
  await repeatable(activity, `${step}/ruled`, async (run) => {
    const told = [...rulings].slice(0, MOST_TOLD);
    run.tell('scope.ruled', {
      tests: told.map(([name]) => name),
      outOfScope: told.flatMap(([name, { isInScope }]) => (isInScope ? [] : [name])),
      why: told.map(([name, { why }]) => `${name.slice(0, 100)}: ${why.slice(0, 200)}`),
    });
  });
  const isOut = (name: string): boolean => rulings.get(name)?.isInScope === false;
  // A ruling is made once: what stays in scope is no guess any more. A test without an answer is asked about again.
  const scope = plan.scope
    .filter(({ name }) => !isOut(name))
    .map((one) => (rulings.has(one.name) ? { name: one.name, reason: one.reason } : one));
  const outOfScope = [...rulings].flatMap(([name, { isInScope, why }]) =>
    isInScope ? [] : [{ name, why: `It prints the same without the change. ${why}`.slice(0, 500) }],
  );
  const requestPlan = { ...plan, scope, outOfScope: [...(plan.outOfScope ?? []), ...outOfScope] };
  const patch = { ...asked.patch, ...(rulings.size > 0 && patchOf({ requestPlan })) };
  return { kind: 'ruled', left: failing.filter(({ name }) => !isOut(name)), patch };
}

const MOST_TOLD = 20;

interface Asked {
  readonly names: readonly string[];
  readonly doubtful: readonly FailingTest[];
  readonly commit: string;
  readonly step: string;
}

type Answered =
  | { readonly kind: 'answered'; readonly rulings: ReadonlyMap<string, Ruling>; readonly patch: JsonObject }
  | Extract<ScopeRuling, { kind: 'stopped' }>;

async function askArbiter(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { names, doubtful, commit, step }: Asked,
): Promise<Answered> {
  let patch: JsonObject = {};
  for (const tier of TIERS) {
    const outcome = await runAgent(
      parts,
      activity,
      { worktree, startCommit: commit },
      {
        step: tier === 'medium' ? `${ARBITER}/${step}` : `${ARBITER}/${step}/${tier}`,
        role: ARBITER,
        purpose: 'rule-on-scope',
        attempt: 1,
        tier,
        prompt: scopePrompt,
        input: {
          request: activity.project.request,
          tests: names.map((name) => name.slice(0, LONGEST_NAME)),
          outputs: names.map((name, index) => `${String(index + 1)}. ${outputOf(name, doubtful)}`),
        },
        access: 'read',
        output: { name: 'scope', type: ScopeOutput },
        limits: LIMITS.plan,
      },
    );
    const stop = stopOf(outcome);
    if (stop) return { kind: 'stopped', outcome: stop, patch };
    patch = { ...patch, ...simulatedBy(outcome) };
    const read = ScopeOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
    const rulings = new Map((read.data?.rulings ?? []).flatMap((one) => pairWithName(one, names)));
    if (rulings.size > 0) return { kind: 'answered', rulings, patch };
  }
  return { kind: 'answered', rulings: new Map(), patch };
}

const pairWithName = (ruling: Ruling, names: readonly string[]): [string, Ruling][] => {
  const name = names[ruling.test - 1];
  return name === undefined ? [] : [[name, ruling]];
};

/** The lines about this test; the end of the whole output if it names none. */
function outputOf(name: string, tests: readonly FailingTest[]): string {
  const own = tests.find((one) => one.name === name);
  if (!own) return '';
  const names = tests.flatMap((one) => (one.output === own.output ? [one.name] : []));
  const lines = splitByFailure(own.output, names).find((one) => one.name === name)?.output ?? '';
  return lines === '' ? own.output.slice(-LONGEST_OUTPUT) : lines.slice(0, LONGEST_OUTPUT);
}
