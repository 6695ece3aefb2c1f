import { z } from 'zod';
import type { AgentOutcome } from '#agents';
import type { Finding } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Tier } from '#models';
import type { Comparison } from '#self-heal';
import { repeatable } from '../../shared/repeatable.js';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import type { Worktree } from '#workspace';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, goodOf, LIMITS } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { runAgent, simulatedBy } from '../run-agent.js';
import { shortenDiff } from '../shorten-patch.js';
import { findingOf } from '../work-task.js';
import { type CheckOutcome, type CheckRequest, HELD } from './check-outcome.js';

export const FIX_REVIEWER = 'fix-reviewer';

const LookOutput = z.object({
  isFixed: z.boolean(),
  why: z.string().describe('What shows that the finding is fixed, or what is still wrong'),
});

interface LookInput {
  readonly finding: string;
  readonly diff: string;
}

export const lookPrompt: Prompt<LookInput> = {
  version: 'look@3',
  system: [
    'You check one fix in a checkout of a git repository. Another engineer made it. You can read the files as they are after the fix; you change nothing.',
    'Read the changed files and their callers. isFixed is true if the problem is gone in every case that the finding names, and the change breaks nothing else. isFixed is false if the problem is only moved, renamed, commented or hidden, if it remains for some inputs, or if the change does harm: it breaks callers, removes a feature, weakens a test. Style is no reason to say no.',
    MATERIAL_RULE,
    'Finish with JSON: isFixed, and why in one to three sentences that name the file.',
  ].join('\n'),
  render: ({ finding, diff }) =>
    joinParts(material('The finding', finding, 6_000), material('The change', diff, 30_000)),
};

const LONGEST_DIFF = 30_000;
const UNCHANGED = 'Nothing was changed: the finding was called not applicable, or settled before.';

/** A reviewer without a valid answer is replaced once. */
const TIERS: readonly Tier[] = ['medium', 'large'];

/**
 * Each fix of a finding is read by an agent that did not make it. If nothing was changed, that agent says whether the
 * finding holds; for one that is aside this needs no look. A fix that no agent could read is an open point, and is taken
 * back if the finding is aside.
 */
export async function lookAtFix(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit }: CheckRequest,
): Promise<CheckOutcome> {
  const finding = findingOf(activity, task);
  const from = goodOf(activity)?.commit ?? worktree.baseCommit;
  if (!finding || finding.priority === 'P2') return HELD;
  const change = await repeatable(activity, 'diff-of-fix', async () =>
    shortenDiff(await parts.worktrees.diff(worktree, from, commit), LONGEST_DIFF),
  );
  if (change === '' && finding.relation === 'aside') return HELD;
  const diff = change === '' ? UNCHANGED : change;
  let simulated: JsonObject = {};
  for (const tier of TIERS) {
    const outcome = await askReviewer(parts, activity, worktree, { finding, diff, commit, tier });
    const stop = stopOf(outcome);
    if (stop) return { kind: 'stopped', outcome: stop, patch: simulated };
    simulated = { ...simulated, ...simulatedBy(outcome) };
    const read = LookOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
    if (!read.success) continue;
    const patch = { ...simulated, ...patchOf({ unreviewedFixes: [...otherFixes(activity, finding)] }) };
    if (read.data.isFixed) {
      return { kind: 'held', patch: { ...patch, ...patchOf({ confirmedFix: { finding: finding.id, commit } }) } };
    }
    const { why } = read.data;
    return {
      kind: 'failed',
      comparison: refusalOf(`The finding "${finding.title}" is not fixed: ${why.slice(0, 300)}`, why),
      patch,
    };
  }
  const unread = `The finding "${finding.title}" has a fix that no other agent could read`;
  if (finding.relation === 'aside') return { kind: 'failed', comparison: refusalOf(unread, unread), patch: simulated };
  const unreviewedFixes = [...otherFixes(activity, finding), finding.id];
  return { kind: 'held', patch: { ...simulated, ...patchOf({ unreviewedFixes }) } };
}

const otherFixes = (activity: ActivityContext, { id }: Finding): readonly string[] =>
  (contextOf(activity).unreviewedFixes ?? []).filter((one) => one !== id);

interface Look {
  readonly finding: Finding;
  readonly diff: string;
  readonly commit: string;
  readonly tier: Tier;
}

const askReviewer = (
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { finding: { title, body, file, line }, diff, commit, tier }: Look,
): Promise<AgentOutcome> =>
  runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: tier === 'medium' ? FIX_REVIEWER : `${FIX_REVIEWER}/${tier}`,
      role: FIX_REVIEWER,
      purpose: 'look-at-fix',
      attempt: 1,
      tier,
      prompt: lookPrompt,
      input: { finding: `${title}\n${body}\n${file === null ? '' : `${file}:${String(line ?? 1)}`}`, diff },
      access: 'read',
      output: { name: 'look', type: LookOutput },
      limits: LIMITS.plan,
    },
  );

const refusalOf = (failure: string, why: string): Comparison => ({
  isNoWorse: false,
  newFailures: [failure],
  oldFailures: [],
  worst: { command: 'the finding is fixed', output: why.slice(0, 4_000) },
  isCheck: true,
});
