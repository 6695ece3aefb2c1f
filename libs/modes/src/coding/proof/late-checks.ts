import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { RequestClass } from '#proof';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { withPatchedContext } from '../../shared/patched-context.js';
import { repeatable } from '../../shared/repeatable.js';
import type { Unfinished } from '../run-agent.js';
import { authorChecksOnBase, partsWithoutCheck } from '../scoping/author-checks.js';
import type { RequestPlan } from '../scoping/request-plan.js';

interface Wish {
  readonly plan: RequestPlan;
  readonly judgedAs: RequestClass;
  readonly commit: string;
  /** All flaky tests that are known by now. */
  readonly flaky?: readonly string[];
}

type Late =
  /** The plan may know more about its parts: an author says of which ones no command can tell. */
  | { readonly kind: 'done'; readonly plan: RequestPlan; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/** How often one project may ask for late checks. */
const MOST_ROUNDS = 2;

/**
 * Checks for parts that have none: the diff left the class of its request, no author found a check before, a check was
 * ruled wrong, or the test of a part turned out to be flaky. Their author sees the base only. It is asked once for each
 * tree.
 */
export async function authorLateChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { plan, judgedAs, commit, flaky = contextOf(activity).flakyTests ?? [] }: Wish,
): Promise<Late> {
  const whole = { ...plan, class: 'behaviour' as const };
  const needed = partsWithoutCheck(whole, contextOf(activity).checks ?? [], flaky);
  // Whatever the checks say, work of a simulated model is not proven.
  const isSimulated = contextOf(activity).simulated === true;
  if (judgedAs !== 'behaviour' || needed.length === 0 || isSimulated) return { kind: 'done', plan, patch: {} };
  const tree = await repeatable(activity, 'tree-for-late-checks', () => parts.worktrees.tree(worktree, commit));
  const { lateChecks: rounds = [] } = contextOf(activity);
  if (rounds.length >= MOST_ROUNDS || rounds.includes(tree)) return { kind: 'done', plan, patch: {} };
  const scene = withPatchedContext(activity, patchOf({ flakyTests: [...flaky] }));
  const authored = await authorChecksOnBase(parts, scene, worktree, { plan: whole, commit });
  if (authored.kind === 'stopped') return { ...authored, patch: {} };
  const { requestPlan: told, ...known } = authored.patch;
  const patch = patchOf({ ...known, lateChecks: [...rounds, tree] });
  return { kind: 'done', plan: told ? { ...plan, parts: told.parts } : plan, patch };
}
