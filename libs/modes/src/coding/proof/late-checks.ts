import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { RequestClass } from '#proof';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import { patchOf } from '../context.js';
import { putBack, withoutTrace } from '../put-back.js';
import type { Unfinished } from '../run-agent.js';
import { authorChecks } from '../scoping/author-checks.js';
import type { RequestPlan } from '../scoping/request-plan.js';

interface Wish {
  readonly plan: RequestPlan;
  readonly judgedAs: RequestClass;
  readonly commit: string;
}

type Late =
  | { readonly kind: 'done'; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/** A diff that left the class of its request needs checks that nobody wrote before. Their author sees the base only. */
export async function authorLateChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { plan, judgedAs, commit }: Wish,
): Promise<Late> {
  if (judgedAs !== 'behaviour' || plan.class === 'behaviour') return { kind: 'done', patch: {} };
  const authored = await authorChecks(parts, activity, worktree, { ...plan, class: 'behaviour' }, worktree.baseCommit);
  const left = { to: commit, step: 'put-back/late-checks' };
  if (authored.kind === 'stopped') {
    const outcome = await withoutTrace(parts, activity, worktree, authored.outcome, left);
    return { kind: 'stopped', outcome, patch: {} };
  }
  await putBack(parts, activity, worktree, left);
  return { kind: 'done', patch: patchOf(authored.patch) };
}
