import type { HealProblem } from '#contracts';
import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import { codingOrderOf, currentOf, listed, problemsOf, teamOf, unblocked } from '../coding/coding-context.js';
import { seatTeam, type TeamSize } from '../coding/discover.activity.js';
import { feedbackOf } from '../coding/notes.js';
import type { CodingOrder } from '../coding/order.js';
import { putBack } from '../coding/put-back.js';
import { enter } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { adopted } from './adopt-plan.js';
import { openReasons, withAttemptAtHand } from './outgrown.js';
import { askedOf, isDraft, stepsOf, type WorkModeParts } from './work-context.js';

/** As in coding mode. */
const FULL_TEAM: TeamSize = { min: 3, max: 7 };

/**
 * ESCALATE: the team grows to that of coding mode, and whoever reviews and works from here on knows all that was done.
 * Machine and mode stay as they are.
 */
export const escalate =
  (parts: WorkModeParts): Activity =>
  async (interrupted) => {
    // Approved or answered in the very moment before the command, it may be that nothing has taken it up yet.
    const decided = await adopted(parts)(interrupted);
    const heeded = decided?.kind === 'event' ? (decided.patch ?? {}) : {};
    const activity = withPatchedContext(interrupted, { ...heeded, problems: listed(problemsAt(interrupted)) });
    const worktree = await enter(parts, activity);
    // Whoever was interrupted by the command may have left anything.
    await putBack(parts, activity, worktree);
    const { patch, agents, domains } = await seatTeam(parts, activity, FULL_TEAM, wishesOf(activity));
    const reasons = openReasons(activity);
    const because = reasons.length > 0 ? reasons : ['a person asked for it'];
    const all = {
      ...heeded,
      ...unblocked,
      ...patch,
      ...withoutDraft(activity, patch),
      // What was counted for the small team stays known: the plan may have found more than the request says.
      domains: allOf(activity, domains),
      problems: listed(problemsOf(activity).map(handedOver)),
      problem: null,
      trouble: null,
      healing: null,
      failures: 0,
      isRolledBack: false,
      isCutShort: currentOf(activity) !== null,
      isAccepted: null,
      isNextSkipped: null,
      // What was said with a decision holds, and whoever goes on with a step that asked asks anew.
      feedback: [...feedbackOf(activity)],
      asked: listed(askedOf(activity).filter(({ answer }) => answer !== null)),
      escalated: true,
      isReviewed: false,
      escalatedBecause: [...because],
    };
    return report('team:composed', all, { agents: [...agents], domains: [...domains], because: [...because] });
  };

/** Whoever is seated keeps the seat. How many there were to be was said of the small team. */
function wishesOf(activity: ActivityContext): CodingOrder['agents'] {
  const { forbid } = codingOrderOf(activity).agents;
  return { pin: (teamOf(activity)?.members ?? []).map(({ source, agent }) => `${source}/${agent}`), forbid };
}

/** Steps of a plan that nobody has approved are no tasks: the request itself is one then. */
function withoutDraft(activity: ActivityContext, { tasks }: JsonObject): JsonObject {
  if (!isDraft(activity)) return {};
  const drafted = new Set(stepsOf(activity).map(({ task }) => task));
  const all = (tasks ?? []) as { readonly id: string; readonly status: string }[];
  return { tasks: listed(all.filter(({ id, status }) => !drafted.has(id) || status !== 'pending')) };
}

function allOf({ context }: ActivityContext, more: readonly string[]): string[] {
  const known = (context['domains'] as readonly string[] | undefined) ?? [];
  return [...new Set([...known, ...more])];
}

/** With the attempts that a person ended, where one of them led here: those have reported nothing. */
function problemsAt(activity: ActivityContext): readonly HealProblem[] {
  const last = activity.context['command'] as { command?: string; state?: string; visit?: number } | null | undefined;
  const isFromHealing = last?.state === 'SELF_HEAL' && last.visit === activity.visit - 1;
  return isFromHealing ? withAttemptAtHand(activity, activity.counters, last.command === 'SKIP') : problemsOf(activity);
}

const handedOver = (problem: HealProblem): HealProblem =>
  problem.status === 'open'
    ? { ...problem, status: 'deferred', reason: 'the project escalated: the full team continues the task' }
    : problem;
