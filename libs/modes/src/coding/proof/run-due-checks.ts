import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { withPatchedContext } from '../../shared/patched-context.js';
import type { CodingParts } from '../coding-context.js';
import type { Unfinished } from '../run-agent.js';
import type { Check } from '../scoping/request-plan.js';
import { replaceWrongCheck } from './rule-on-check.js';
import { runCheck } from './run-check.js';

interface Wish {
  readonly checks: readonly Check[];
  readonly commit: string;
  /** Why the agent says that a check is wrong; null if it does not. */
  readonly claim: string | null;
}

export type DueChecks =
  | { readonly kind: 'held'; readonly patch: JsonObject }
  | { readonly kind: 'failed'; readonly check: Check; readonly output: string; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/**
 * Runs checks until one fails in two runs. If the agent says that this one is wrong, a third agent rules on it. A check
 * that fails in one run only is flaky: it says nothing here, and the proof judges it at the end.
 */
export async function runDueChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { checks, commit, claim }: Wish,
): Promise<DueChecks> {
  let patch: JsonObject = {};
  for (const check of checks) {
    const scene = withPatchedContext(activity, patch);
    const see = (step: string) => runCheck(parts, scene, worktree, { check, commit, step });
    const run = await see(`check/${check.id}`);
    if (run.isGreen || (await see(`check/${check.id}/again`)).isGreen) continue;
    const replaced = await replaceWrongCheck(parts, scene, worktree, { check, run, commit, claim });
    patch = { ...patch, ...replaced.patch };
    if (replaced.kind === 'stopped') return { ...replaced, patch };
    if (replaced.kind === 'failed') return { kind: 'failed', check, output: run.output, patch };
  }
  return { kind: 'held', patch };
}
