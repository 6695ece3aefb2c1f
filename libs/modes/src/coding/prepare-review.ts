import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import { blockedByFreshSetup, blockedBySetup } from './ask-person.js';
import { enterSetUp } from '../shared/enter.js';
import { describeFailures, describeVerification, failingTests } from '../shared/failing-tests.js';
import { repeatable } from '../shared/repeatable.js';
import { sideBySide } from '../shared/side-by-side.js';
import { findFailedSetup, verified } from '../shared/verification.js';
import { asJson, baselineOf } from '../shared/work-parts.js';
import { type CodingParts, resolvedBlock } from './coding-context.js';
import { contextOf, patchOf } from './context.js';
import { keptOfPerson, leftByPerson } from './left-by-person.js';

type Prepared =
  { readonly kind: 'ready'; readonly patch: JsonObject } | { readonly kind: 'blocked'; readonly report: Report };

/** Before the reviewers start: the repository is set up, its tests are run, and its map is made. */
export async function prepareReview(parts: CodingParts, activity: ActivityContext): Promise<Prepared> {
  const { repositoryMap } = contextOf(activity);
  if (baselineOf(activity) && repositoryMap !== undefined) return { kind: 'ready', patch: {} };
  const { worktree, failed } = await enterSetUp(parts, activity);
  if (failed) return { kind: 'blocked', report: blockedBySetup(activity, failed) };
  // The baseline is of the commit alone. What a person left in the worktree stays in the repository.
  const left = resolvedBlock(activity) ? await leftByPerson(parts, activity, worktree) : null;
  const kept = left === null ? {} : keptOfPerson(activity, worktree, left);
  const [map, baseline] = await sideBySide(
    repeatable(activity, 'map', () => parts.worktrees.map(worktree)),
    Promise.resolve(baselineOf(activity) ?? verified(parts, activity, worktree, { step: 'baseline' })),
  );
  const known = patchOf({ repositoryMap: map.map, conventions: map.conventions });
  const unfit = findFailedSetup(baseline);
  if (unfit) return { kind: 'blocked', report: blockedByFreshSetup(activity, unfit, kept) };
  return { kind: 'ready', patch: { ...known, ...kept, baseline: asJson(baseline) } };
}

const MOST_NAMES = 100;
const LONGEST_NAMES = 3_000;
const LONGEST_OUTPUT = 4_500;

/** The baseline as agents read it: how the commands ended, which tests fail, and what was printed about each. */
export function describeBaseline(activity: Pick<ActivityContext, 'context'>): string {
  const baseline = baselineOf(activity);
  if (!baseline) return '';
  const names = failingTests(baseline).map(({ name }) => name);
  const ran = describeVerification(baseline);
  if (names.length === 0) return `${ran}\nNo test fails.`;
  const listed = names.slice(0, MOST_NAMES).join('\n').slice(0, LONGEST_NAMES);
  const printed = describeFailures(baseline).map(({ output }) => output);
  return `${ran}\nFailing tests:\n${listed}\n\nWhat was printed about them:\n${printed.join('\n\n').slice(0, LONGEST_OUTPUT)}`;
}
