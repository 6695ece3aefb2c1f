import type { ProjectTask } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import { nextTask } from '#team';
import type { VerifyReport, Worktree } from '#workspace';
import { blockedBySetup } from './ask-person.js';
import { enter, enterSetUp } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { sideBySide } from '../shared/side-by-side.js';
import { verified } from '../shared/verification.js';
import { asJson, baselineOf, commitOf } from '../shared/work-parts.js';
import { carryOut } from './carry-out.js';
import { type CodingParts, currentOf, cutShortBy, resolvedBlock, tasksOf, unblocked } from './coding-context.js';
import { contextOf } from './context.js';
import { deferTask } from './defer-task.js';
import { heeded } from './heed-decision.js';
import { leftByPerson } from './left-by-person.js';
import { implementerStrategy, type ExecutionPolicy } from './task-strategy.js';
import { stoppedByOrphans } from './orphans.js';
import { prove } from './prove.js';
import { proveAndPlan } from './prove-and-plan.js';
import { putBack } from './put-back.js';

/**
 * EXECUTING: one task a visit. An agent works on it, the service verifies what it did, and commits it where it is no
 * worse than before; a problem goes to SELF_HEAL, and comes back here verified.
 */
export const execute =
  (parts: CodingParts, how: ExecutionPolicy | null = null): Activity =>
  async (activity) => {
    const decided = (await how?.begin(activity)) ?? (await heeded(parts, activity));
    if (decided) return withSkip(activity, decided);
    const next = currentOrNext(activity);
    // Heeded before anything that could fail: to put a task off nothing has to be set up.
    if (next && isSkipped(activity)) return skipped(parts, activity, next);
    const entered = enterSetUp(parts, activity);
    const [{ worktree, failed }, stopped] = await sideBySide(entered, stoppedByOrphans(parts, activity));
    if (failed) return blockedBySetup(activity, failed);
    if (stopped) return stopped;
    const startCommit = await startFor(parts, activity, worktree);
    const baseline = await baselineFor(parts, activity, worktree, startCommit);
    // What runs in this visit may take its time from the baseline.
    const scene = withPatchedContext(activity, { baseline: asJson(baseline) });
    if (!next && how) return how.prove(scene, worktree, baseline);
    if (!next) return proveAndPlan(parts, scene, worktree, { baseline, prove });
    const strategy = how?.strategies(scene, next) ?? implementerStrategy(parts);
    return carryOut(parts, scene, worktree, { task: next, baseline, startCommit, strategy });
  };

const isSkipped = (activity: ActivityContext): boolean =>
  cutShortBy(activity) === 'SKIP' || contextOf(activity).isNextSkipped === true;

/** The visit that takes up a decision may be skipped itself: what a person does not want is the task that comes next. */
function withSkip(activity: ActivityContext, decided: Report): Report {
  if (cutShortBy(activity) !== 'SKIP' || decided.kind !== 'event') return decided;
  const hasNext = currentOrNext(withPatchedContext(activity, decided.patch ?? {})) !== null;
  return { ...decided, patch: { ...decided.patch, ...(hasNext && { isNextSkipped: true }) } };
}

const currentOrNext = (activity: ActivityContext): ProjectTask | null =>
  currentOf(activity) ?? nextTask(tasksOf(activity));

/** Whatever a person changed at a block, here or before the first task, the work goes on from there. */
const startFor = async (parts: CodingParts, activity: ActivityContext, worktree: Worktree): Promise<string> =>
  resolvedBlock(activity) || !baselineOf(activity)
    ? leftByPerson(parts, activity, worktree)
    : (commitOf(activity) ?? worktree.baseCommit);

/** Before the first change: failures that were there before are known, and shown apart. */
async function baselineFor(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  startCommit: string,
): Promise<VerifyReport> {
  const known = baselineOf(activity);
  if (known) return known;
  const isChanged = startCommit !== (commitOf(activity) ?? worktree.baseCommit);
  if (isChanged) await putBack(parts, activity, worktree, { step: 'before-baseline' });
  const baseline = await verified(parts, activity, worktree, { step: 'baseline' });
  if (isChanged) await putBack(parts, activity, worktree, { to: startCommit, step: 'after-baseline' });
  return baseline;
}

/** A person does not want this one: its finding is deferred, and what was changed for it goes. */
async function skipped(parts: CodingParts, activity: ActivityContext, task: ProjectTask): Promise<Report> {
  const worktree = await enter(parts, activity);
  const reason = 'a person skipped it';
  const patch = await deferTask(parts, activity, { worktree, task, reason, cause: 'skipped' });
  return report(
    'task:finished',
    { ...unblocked, ...patch, isNextSkipped: null },
    { task: task.id, outcome: 'deferred' },
  );
}
