import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS, scenariosOf } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { type Scenario, type ScenarioRuling, untried } from '../scenario.js';
import { adaptCheck } from '../scoping/adapt-check.js';
import type { Check } from '../scoping/request-plan.js';
import { shortenDiff } from '../shorten-patch.js';
import type { CheckRun } from './run-check.js';

export const ARBITER = 'arbiter';

const RulingOutput = z.object({
  isCheckWrong: z.boolean(),
  isDemanded: z
    .boolean()
    .nullable()
    .optional()
    .describe('Whether the request asks for what the check tests, in whatever way it tests it'),
  why: z.string().describe('Which words of the request decide it'),
});

interface RulingInput {
  readonly request: string;
  /** The interface that the plan fixes for the part; empty if it fixes none. */
  readonly interface: string;
  readonly check: string;
  readonly output: string;
  readonly claim: string;
  readonly diff: string;
}

export const rulingPrompt: Prompt<RulingInput> = {
  version: 'ruling@3',
  system: [
    'Two engineers disagree. One changed code for a request; the other wrote a check that fails on the change. The first says that the check is wrong. You decide. You can read the repository as it is after the change; you change nothing.',
    'The check is wrong if a correct implementation of the request fails it: it contradicts the request; it demands one of several results that the request allows; it relies on a name or path that neither the request nor the interface of the plan fixes; or it has a mistake of its own, such as a bad import path, a wrong command or something that the sandbox does not have.',
    'The check is right if the request demands what it checks, even if that is inconvenient or the claim sounds reasonable. That the change behaves otherwise is no reason. Find out first why the check fails: compare its output with the code.',
    'Say also whether the request asks for what the check tests. It does if only the way is wrong: the command, a path, a tool. It does not if the check demands a result that the request leaves open or contradicts.',
    MATERIAL_RULE,
    'Finish with JSON: isCheckWrong; isDemanded; and why, with the words of the request that decide it.',
  ].join('\n'),
  render: ({ request, interface: fixed, check, output, claim, diff }) =>
    joinParts(
      material('The request', request, 8_000),
      fixed === '' ? null : material('The interface that the plan fixes', fixed, 4_000),
      material('The check', check, 8_000),
      material('What it printed', output, 4_000),
      material('Why the engineer says that it is wrong', claim, 2_000),
      material('The change', diff, 20_000),
    ),
};

export type Replaced =
  /** The check was replaced, and its successor holds. */
  | { readonly kind: 'held'; readonly patch: JsonObject }
  | { readonly kind: 'failed'; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

export interface Dispute {
  readonly title: string;
  readonly interface: string;
  readonly text: string;
  readonly run: Pick<CheckRun, 'output'>;
  readonly commit: string;
  readonly claim: string;
}

export type Ruling =
  (ScenarioRuling & { readonly isDemanded: boolean; readonly patch: JsonObject }) | { readonly stopped: Unfinished };

const LONGEST_DIFF = 20_000;

/** A third agent decides whether a check is wrong or the work. */
export async function ruleOnDispute(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { title, interface: fixed, text, run, commit, claim }: Dispute,
): Promise<Ruling> {
  const diff = await repeatable(activity, `diff-for-ruling/${title}`.slice(0, 80), async () =>
    shortenDiff(await parts.worktrees.diff(worktree, worktree.baseCommit, commit), LONGEST_DIFF),
  );
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: `${ARBITER}/${title}`.slice(0, 80),
      role: ARBITER,
      purpose: 'rule-on-check',
      attempt: 1,
      tier: 'large',
      prompt: rulingPrompt,
      input: {
        request: activity.project.request,
        interface: fixed,
        check: text,
        output: run.output.slice(-4_000),
        claim,
        diff,
      },
      access: 'read',
      output: { name: 'ruling', type: RulingOutput },
      limits: LIMITS.plan,
    },
  );
  const stop = stopOf(outcome);
  if (stop) return { stopped: stop };
  const read = RulingOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  const ruling = read.success ? read.data : { isCheckWrong: false, why: 'The arbiter gave no ruling.' };
  const isDemanded = ruling.isDemanded ?? true;
  await repeatable(activity, `ruling/${title}`.slice(0, 80), async (effect) => {
    effect.tell('check.ruled', {
      check: title.slice(0, 200),
      isWrong: ruling.isCheckWrong,
      isDemanded,
      why: ruling.why.slice(0, 500),
    });
  });
  const { isCheckWrong: isWrong, why } = ruling;
  return { isWrong, isDemanded, why, patch: simulatedBy(outcome) };
}

interface CheckDispute {
  readonly check: Check;
  readonly run: CheckRun;
  readonly commit: string;
  readonly claim: string | null;
}

/** If an agent says that a check is wrong, a third agent rules. A wrong check is adapted once by its author. */
export async function replaceWrongCheck(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { check, run, commit, claim }: CheckDispute,
): Promise<Replaced> {
  if (claim === null || check.isAdapted) return { kind: 'failed', patch: {} };
  const sources = check.files.map(({ path, content }) => `--- ${path}\n${content}`).join('\n');
  const text = `${check.title}\n$ ${check.command}\n${sources}`;
  const fixed = contextOf(activity).requestPlan?.parts[check.part - 1]?.interface ?? '';
  const ruling = await ruleOnDispute(parts, activity, worktree, {
    title: check.id,
    interface: fixed,
    text,
    run,
    commit,
    claim,
  });
  if ('stopped' in ruling) return { kind: 'stopped', outcome: ruling.stopped, patch: {} };
  if (!ruling.isWrong) return { kind: 'failed', patch: ruling.patch };
  const adapted = await adaptCheck(parts, activity, worktree, { check, commit, why: ruling.why });
  if (adapted.kind === 'stopped') return { ...adapted, patch: ruling.patch };
  const others = contextOf(activity).checks ?? [];
  const successor = adapted.check ?? { ...check, dropped: ruling.why.slice(0, 500) };
  const checks = others.map((one) => (one.id === check.id ? successor : one));
  const patch = { ...ruling.patch, ...patchOf({ checks }) };
  return adapted.isGreen ? { kind: 'held', patch } : { kind: 'failed', patch };
}

interface ScenarioDispute {
  readonly scenario: Scenario;
  readonly run: CheckRun;
  readonly commit: string;
  readonly claim: string | null;
}

/**
 * A scenario whose way was ruled wrong is tried again, by an agent that knows the ruling. One that the request does not
 * ask for, or that was ruled wrong before, is not decided.
 */
export async function replaceWrongScenario(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { scenario, run, commit, claim }: ScenarioDispute,
): Promise<Replaced> {
  if (claim === null) return { kind: 'failed', patch: {} };
  const text = `${scenario.title}\n${scenario.steps}\n$ ${scenario.evidence?.command ?? scenario.command ?? ''}`;
  const ruling = await ruleOnDispute(parts, activity, worktree, {
    title: scenario.id,
    interface: '',
    text,
    run,
    commit,
    claim,
  });
  if ('stopped' in ruling) return { kind: 'stopped', outcome: ruling.stopped, patch: {} };
  const { isWrong, isDemanded, why } = ruling;
  const earlier = scenario.rulings ?? [];
  const isOver = !isDemanded || earlier.some((one) => one.isWrong);
  const rulings = [...earlier, { isWrong, why: why.slice(0, LONGEST_WHY) }].slice(-MOST_RULINGS);
  const ruled = { ...scenario, rulings, ...(isWrong && (isOver ? undecided(why) : { ...untried, command: null })) };
  const scenarios = scenariosOf(activity).map((one) => (one.id === scenario.id ? ruled : one));
  return { kind: isWrong ? 'held' : 'failed', patch: { ...ruling.patch, ...patchOf({ scenarios }) } };
}

const LONGEST_WHY = 1_000;
const MOST_RULINGS = 4;

const undecided = (why: string): Pick<Scenario, 'verdict' | 'because' | 'by'> => ({
  verdict: 'skipped',
  because: `An independent agent ruled that the scenario is wrong: ${why}`.slice(0, 2_000),
  by: ARBITER,
});
