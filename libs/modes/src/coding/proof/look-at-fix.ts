import { z } from 'zod';
import type { ActivityContext } from '#engine';
import { repeatable } from '../../shared/repeatable.js';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import type { Worktree } from '#workspace';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, goodOf, LIMITS } from '../coding-context.js';
import { runAgent, simulatedBy } from '../run-agent.js';
import { shortenPatch } from '../shorten-patch.js';
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
  version: 'look@1',
  system: [
    'You check one fix in a checkout of a git repository. Another engineer made it. You can read the files as they are after the fix; you change nothing.',
    'Read the changed files, and who calls them. isFixed is true if the problem is gone in every case that the finding names, and the change breaks nothing else. isFixed is false if the problem is only moved, renamed, commented or hidden, if it remains for some inputs, or if the change does harm: it breaks callers, removes a feature, weakens a test. Style is no reason to say no.',
    MATERIAL_RULE,
    'Finish with JSON: isFixed, and why in one to three sentences that name the file.',
  ].join('\n'),
  render: ({ finding, diff }) =>
    joinParts(material('The finding', finding, 6_000), material('The change', diff, 30_000)),
};

const LONGEST_DIFF = 30_000;

/** Each fix of a finding is read once by an agent that did not make it. Nothing changed needs no look. */
export async function lookAtFix(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit }: CheckRequest,
): Promise<CheckOutcome> {
  const finding = findingOf(activity, task);
  const from = goodOf(activity)?.commit ?? worktree.baseCommit;
  if (!finding || finding.priority === 'P2') return HELD;
  const diff = await repeatable(activity, 'diff-of-fix', async () =>
    shortenPatch((await parts.worktrees.diff(worktree, from, commit)).patch, LONGEST_DIFF),
  );
  if (diff === '') return HELD;
  const { title, body, file, line } = finding;
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: FIX_REVIEWER,
      role: FIX_REVIEWER,
      purpose: 'look-at-fix',
      attempt: 1,
      tier: 'medium',
      prompt: lookPrompt,
      input: { finding: `${title}\n${body}\n${file === null ? '' : `${file}:${String(line ?? 1)}`}`, diff },
      access: 'read',
      output: { name: 'look', type: LookOutput },
      limits: LIMITS.plan,
    },
  );
  const stop = stopOf(outcome);
  if (stop) return { kind: 'stopped', outcome: stop, patch: {} };
  const patch = simulatedBy(outcome);
  const read = LookOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  // A look that came to nothing does not hold up a fix that passes all tests.
  if (!read.success || read.data.isFixed) return { kind: 'held', patch };
  const { why } = read.data;
  const comparison = {
    isNoWorse: false,
    newFailures: [`${finding.id} is not fixed: ${why.slice(0, 300)}`],
    oldFailures: [],
    worst: { command: 'the finding is fixed', output: why.slice(0, 4_000) },
    isCheck: true,
  } as const;
  return { kind: 'failed', comparison, patch };
}
