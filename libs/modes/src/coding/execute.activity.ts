import type { ProjectTask } from '#contracts';
import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { nextTask, withTask } from '#team';
import type { VerifyReport, Worktree } from '#workspace';
import { blockedBySetup } from '../shared/block.js';
import { enter, enterSetUp } from '../shared/enter.js';
import { judgedAgainst } from '../shared/judged-against.js';
import { sideBySide } from '../shared/side-by-side.js';
import { verdictOf, verified } from '../shared/verification.js';
import { asJson, baselineOf, commitOf, shown } from '../shared/work-parts.js';
import {
  codingOrderOf, type CodingParts, currentOf, cutShortBy, goodOf, listed, resolvedBlock, tasksOf, unblocked,
} from './coding-context.js'; // prettier-ignore
import { commitTask } from './commit-task.js';
import { deferTask } from './defer-task.js';
import { executePrompt } from './execute.prompt.js';
import { heededDecision } from './heed-decision.js';
import { keptOfPerson, leftByPerson } from './left-by-person.js';
import { notesFor } from './notes.js';
import { stoppedByOrphans } from './orphans.js';
import { foundProblem } from './problem.js';
import { provenOrAsk } from './prove.js';
import { putBack } from './put-back.js';
import { runAgent, simulatedBy, stoppedBy } from './run-agent.js';
import { findingOf, readTaskOutput, TaskOutput } from './work-task.js';

export const IMPLEMENTER = 'implementer';

/**
 * EXECUTING: one task a visit. An agent works on it, the service verifies what it did, and commits it where it is no
 * worse than before; a problem goes to SELF_HEAL, and comes back here verified.
 */
export const execute =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const heeded = heededDecision(activity);
    if (heeded) return heeded;
    const next = currentOrNext(activity);
    // Heeded before anything that could fail: to put a task off nothing has to be set up.
    if (next && cutShortBy(activity) === 'SKIP') return skipped(parts, activity, next);
    const entered = enterSetUp(parts, activity);
    const [{ worktree, failed }, stopped] = await sideBySide(entered, stoppedByOrphans(parts, activity));
    if (failed) return blockedBySetup(failed);
    if (stopped) return stopped;
    const startCommit = await startFor(parts, activity, worktree);
    const baseline = await baselineFor(parts, activity, worktree, startCommit);
    if (!next) return provenOrAsk(parts, activity, worktree, baseline);
    return carriedOut(parts, activity, worktree, { task: next, baseline, startCommit });
  };

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
  return report('task:finished', { ...unblocked, ...patch }, { task: task.id, outcome: 'deferred' });
}

interface Work {
  readonly task: ProjectTask;
  readonly baseline: VerifyReport;
  readonly startCommit: string;
}

async function carriedOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, baseline, startCommit }: Work,
): Promise<Report> {
  const known: JsonObject = {
    baseline: asJson(baseline),
    good: asJson(goodOf(activity) ?? startOf(activity, worktree)),
    ...keptOfPerson(activity, worktree, startCommit),
  };
  // Healed and verified in SELF_HEAL: all that is left is its commit.
  const healed = activity.context['healed'] as { commit: string; summary: string } | null | undefined;
  if (healed && healed.commit === commitOf(activity)) {
    const { commit, summary } = healed;
    const done = { task, commit, said: { outcome: 'done', summary } as const };
    return finished(parts, activity, worktree, { ...done, known: { ...known, healed: null } });
  }
  const outcome = await runAgent(parts, activity, { worktree, startCommit }, {
    step: IMPLEMENTER,
    role: IMPLEMENTER,
    purpose: 'execute',
    attempt: 1,
    tier: codingOrderOf(activity).tier,
    prompt: executePrompt,
    input: {
      task,
      finding: findingOf(activity, task),
      request: activity.project.request,
      notes: notesFor(activity),
      isCutShort: activity.context['isCutShort'] === true,
    },
    access: 'write',
    output: { name: 'task', type: TaskOutput },
  }); // prettier-ignore
  const begun = listed(withTask(tasksOf(activity), task.id, { status: 'in_progress', owner: IMPLEMENTER }));
  if (outcome.kind !== 'finished') return stoppedBy(outcome, { ...known, tasks: begun }, worktree);
  const said = readTaskOutput(outcome.output, outcome.text);
  const { commit } = outcome;
  const result = await verified(parts, activity, worktree, { commit });
  const judged = judgedAgainst(baseline, result);
  const left = { ...known, ...simulatedBy(outcome), isCutShort: false, verification: asJson(result) };
  if (judged.isNoWorse) return finished(parts, activity, worktree, { task, commit, said, known: left });
  // What it says is of no commit: where the task is put off, the last good one is verified anew.
  const found = { verifiedAt: null, tasks: begun, pending: asJson(said) };
  const patch = { ...unblocked, ...left, ...shown(worktree, commit), ...found };
  return foundProblem(activity, judged, { task, folder: worktree.folder, patch, facts: verdictOf(result) });
}

interface Done {
  readonly task: ProjectTask;
  readonly commit: string;
  readonly said: TaskOutput;
  readonly known: JsonObject;
}

async function finished(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, said, known }: Done,
): Promise<Report> {
  const { patch, outcome } = await commitTask(parts, activity, {
    worktree,
    task,
    commit,
    said,
    isSimulated: isSimulated(activity, known),
  });
  return report('task:finished', { ...unblocked, ...known, ...patch }, { task: task.id, outcome });
}

const isSimulated = ({ context }: ActivityContext, known: JsonObject): boolean =>
  context['simulated'] === true || known['simulated'] === true;

const startOf = (activity: ActivityContext, worktree: Worktree): { commit: string; checkpoint: number } => ({
  commit: commitOf(activity) ?? worktree.baseCommit,
  checkpoint: activity.checkpoint.seq,
});
