import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { runCheck } from '../proof/run-check.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { Unfinished } from '../run-agent.js';
import { rewriteCheck } from './author-checks.js';
import type { Check } from './request-plan.js';

interface Wish {
  readonly check: Check;
  /** The commit on which the check was found to be wrong. */
  readonly commit: string;
  readonly why: string;
}

export type Adapted =
  | { readonly kind: 'done'; readonly check: Check | null; readonly isGreen: boolean }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished };

/** Its author writes the check again, once. It must still fail on the base; then it decides on the result. */
export async function adaptCheck(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { check, commit, why }: Wish,
): Promise<Adapted> {
  const plan = contextOf(activity).requestPlan;
  if (!plan) return { kind: 'done', check: null, isGreen: false };
  const written = await rewriteCheck(parts, activity, worktree, { plan, check, commit, why });
  if (written.kind === 'stopped') return written;
  if (!written.check) return { kind: 'done', check: null, isGreen: false };
  const adapted = { ...written.check, id: check.id, isAdapted: true };
  const run = await runCheck(parts, activity, worktree, { check: adapted, commit, step: `check/${check.id}/adapted` });
  return { kind: 'done', check: adapted, isGreen: run.isGreen };
}
