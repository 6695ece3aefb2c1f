import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { repeatable } from '../../shared/repeatable.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, findingsOf, LIMITS } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { runAgent, simulatedBy, type Unfinished } from '../run-agent.js';
import { shortenDiff } from '../shorten-patch.js';
import type { Inspection, InspectionRuling } from './proof-record.js';
import { ARBITER } from './rule-on-check.js';

const InspectionRulingOutput = z.object({
  isInspectorWrong: z.boolean().describe('True only if each disputed item is done completely'),
  why: z.string().describe('Which lines of which file decide it'),
});

interface RulingInput {
  readonly request: string;
  /** Each with the reason of the inspector. */
  readonly disputed: readonly string[];
  /** What the engineer says; empty if it says nothing. */
  readonly claim: string;
  /** The checks of the request, and how they ended. */
  readonly checks: readonly string[];
  readonly diff: string;
}

export const inspectionRulingPrompt: Prompt<RulingInput> = {
  version: 'inspectionruling@2',
  system: [
    'An engineer changed a repository for a request. An inspector read the change and says that something is not done. You decide. You can read the repository as it is after the change; you change nothing.',
    'Read the files that the inspector names, and the code that calls them. The inspector is wrong if the files show that each disputed item is done completely: it overlooked a file, misread the code, or demands something that the request does not ask for. The inspector is right if one disputed item is missing, holds only for some inputs, is only a comment or a name, or is never reached. What the engineer says is no evidence. If you cannot tell, the inspector is right.',
    'You answer for all disputed items together.',
    MATERIAL_RULE,
    'Finish with JSON: isInspectorWrong, and why, with the file and the lines that decide it.',
  ].join('\n'),
  render: ({ request, disputed, claim, checks, diff }) =>
    joinParts(
      material('The request', request, 8_000),
      material('What the inspector calls not done', disputed.join('\n\n'), 8_000),
      claim === '' ? null : material('What the engineer answers', claim, 2_000),
      checks.length > 0 ? material('Checks that ran on the change', checks.join('\n'), 4_000) : null,
      material('The change', diff, 30_000),
    ),
};

export type RuledInspection =
  | { readonly kind: 'ruled'; readonly inspection: Inspection | null; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

interface Wish {
  readonly commit: string;
  readonly inspection: Inspection | null;
  /** Numbers of parts with a failing check or test. Nothing overrules those. */
  readonly redParts: readonly number[];
  /** The checks of the request, and how they ended. */
  readonly checks: readonly string[];
  /** Why an engineer says that the inspector is wrong; null if none does. */
  readonly claim: string | null;
  /** Whether a person is asked next. */
  readonly isLastChance: boolean;
}

const LONGEST_DIFF = 30_000;

/**
 * An inspector may be wrong. If an engineer says so, or a person would be asked next, a third agent rules on what the
 * inspector calls not done. It rules once on each tree.
 */
export async function ruleOnInspection(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, inspection, redParts, checks, claim, isLastChance }: Wish,
): Promise<RuledInspection> {
  const disputed = findDisputed(inspection, redParts);
  if (!inspection || disputed.length === 0) return { kind: 'ruled', inspection, patch: {} };
  const tree = await repeatable(activity, 'tree-for-ruling', () => parts.worktrees.tree(worktree, commit));
  const { inspectionRulings: rulings = [], requestPlan: plan } = contextOf(activity);
  const known = rulings.find(
    (ruling) => ruling.tree === tree && disputed.every(({ key }) => ruling.items.includes(key)),
  );
  if (known) return { kind: 'ruled', inspection: withRuling(inspection, known), patch: {} };
  if (claim === null && !isLastChance) return { kind: 'ruled', inspection, patch: {} };
  const diff = await repeatable(activity, 'diff-for-ruling/inspection', async () =>
    shortenDiff(await parts.worktrees.diff(worktree, worktree.baseCommit, commit), LONGEST_DIFF),
  );
  const titleOf = (key: string): string =>
    plan?.parts[Number(key) - 1]?.title ?? findingsOf(activity).find(({ id }) => id === key)?.title ?? key;
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: `${ARBITER}/inspection`,
      role: ARBITER,
      purpose: 'rule-on-inspection',
      attempt: 1,
      tier: 'large',
      prompt: inspectionRulingPrompt,
      input: {
        request: activity.project.request,
        disputed: disputed.map(({ key, why }) => `${titleOf(key)}\nThe inspector says: ${why}`),
        claim: claim ?? '',
        checks,
        diff,
      },
      access: 'read',
      output: { name: 'inspection-ruling', type: InspectionRulingOutput },
      limits: LIMITS.plan,
    },
  );
  const stop = stopOf(outcome);
  if (stop) return { kind: 'stopped', outcome: stop, patch: {} };
  const read = InspectionRulingOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  const answer = read.success ? read.data : { isInspectorWrong: false, why: 'The arbiter gave no ruling.' };
  const items = disputed.map(({ key }) => key);
  const ruling = { tree, items, isInspectorWrong: answer.isInspectorWrong, why: answer.why.slice(0, 500) };
  await repeatable(activity, 'inspection/ruled', async (run) => {
    run.tell('inspection.ruled', { items, isWrong: ruling.isInspectorWrong, why: ruling.why });
  });
  const patch = { ...simulatedBy(outcome), ...patchOf({ inspectionRulings: [...rulings, ruling] }) };
  return { kind: 'ruled', inspection: withRuling(inspection, ruling), patch };
}

interface Disputed {
  /** Number of a part, id of a finding, or a demand in the words of the request. */
  readonly key: string;
  readonly why: string;
}

/** What an inspector calls not done, and no check contradicts. */
function findDisputed(inspection: Inspection | null, redParts: readonly number[]): readonly Disputed[] {
  const { parts = [], findings = [], demands = [] } = inspection ?? {};
  return [
    ...parts
      .filter(({ part, isDone }) => !isDone && !redParts.includes(part))
      .map(({ part, why }) => ({ key: String(part), why })),
    ...findings.filter(({ isFixed }) => !isFixed).map(({ id, why }) => ({ key: id, why })),
    ...demands.map(({ quote, why }) => ({ key: keyOf(quote), why })),
  ];
}

const keyOf = (quote: string): string => `The request also asks for "${quote}".`;

/** The inspection after a ruling. */
export function withRuling(inspection: Inspection, { items, isInspectorWrong, why }: InspectionRuling): Inspection {
  if (!isInspectorWrong) return inspection;
  const ruled = `A third agent ruled that it is done: ${why}`;
  return {
    ...inspection,
    parts: inspection.parts.map((one) =>
      !one.isDone && items.includes(String(one.part)) ? { ...one, isDone: true, why: ruled } : one,
    ),
    findings: inspection.findings.map((one) =>
      !one.isFixed && items.includes(one.id) ? { ...one, isFixed: true, why: ruled } : one,
    ),
    ...(inspection.demands && {
      demands: inspection.demands.filter(({ quote }) => !items.includes(keyOf(quote))),
    }),
  };
}
