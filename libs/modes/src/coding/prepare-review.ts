import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import { blockedBySetup } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { describeVerification, failingTests } from '../shared/failing-tests.js';
import { repeatable } from '../shared/repeatable.js';
import { verified } from '../shared/verification.js';
import { asJson, baselineOf } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';
import { contextOf, patchOf } from './context.js';

type Prepared =
  { readonly kind: 'ready'; readonly patch: JsonObject } | { readonly kind: 'blocked'; readonly report: Report };

/** Before the reviewers start: the repository is set up, its tests are run, and its map is made. */
export async function prepareReview(parts: CodingParts, activity: ActivityContext): Promise<Prepared> {
  const { repositoryMap } = contextOf(activity);
  if (baselineOf(activity) && repositoryMap !== undefined) return { kind: 'ready', patch: {} };
  const { worktree, failed } = await enterSetUp(parts, activity);
  if (failed) return { kind: 'blocked', report: blockedBySetup(failed) };
  const map = await repeatable(activity, 'map', () => parts.worktrees.map(worktree));
  const known = patchOf({ repositoryMap: map.map, conventions: map.conventions });
  const baseline = baselineOf(activity) ?? (await verified(parts, activity, worktree, { step: 'baseline' }));
  return { kind: 'ready', patch: { ...known, baseline: asJson(baseline) } };
}

const MOST_NAMES = 100;

/** The baseline as agents read it. */
export function describeBaseline(activity: Pick<ActivityContext, 'context'>): string {
  const baseline = baselineOf(activity);
  if (!baseline) return '';
  const names = failingTests(baseline).map(({ name }) => name);
  const failing = names.length === 0 ? 'No test fails.' : `Failing tests:\n${names.slice(0, MOST_NAMES).join('\n')}`;
  return `${describeVerification(baseline)}\n${failing}`;
}
