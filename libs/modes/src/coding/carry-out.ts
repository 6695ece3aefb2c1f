import type { ProjectTask } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { VerifyReport, Worktree } from '#workspace';
import { judgedAgainst } from '../shared/judged-against.js';
import { knowing } from '../shared/knowing.js';
import { verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import { type CodingParts, goodOf, listed, tasksOf, unblocked } from './coding-context.js';
import { commitTask } from './commit-task.js';
import { keptOfPerson } from './left-by-person.js';
import type { Heard, Manner } from './manner.js';
import { foundProblem } from './problem.js';
import { simulatedBy, stoppedBy } from './run-agent.js';
import type { TaskOutput } from './work-task.js';

interface Work {
  readonly task: ProjectTask;
  readonly baseline: VerifyReport;
  readonly startCommit: string;
  readonly manner: Manner;
}

/** One task: an agent works on it, the service verifies and checks what it did, and commits it where that holds. */
export async function carriedOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, baseline, startCommit, manner }: Work,
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
    const done = { task, commit, said: { outcome: 'done', summary } as const, manner };
    return finished(parts, activity, worktree, { ...done, known: { ...known, healed: null } });
  }
  const outcome = await manner.run(activity, { worktree, startCommit }, task);
  const owner = manner.ownerOf(activity, task);
  const begun = (patch: JsonObject): JsonObject => {
    const tasks = tasksOf({ context: { ...activity.context, ...patch } });
    return { ...patch, tasks: listed(withTask(tasks, task.id, { status: 'in_progress', owner })) };
  };
  if (outcome.kind !== 'finished') return stoppedBy(outcome, begun(known), worktree);
  const { commit } = outcome;
  const heard = manner.heard(activity, task, outcome);
  const said = begun({ ...known, ...simulatedBy(outcome), ...heard.patch });
  if (heard.asks) return asked(heard.asks, { ...said, ...shown(worktree, commit) });
  const result = await verified(parts, activity, worktree, { commit });
  const judged = judgedAgainst(baseline, result);
  const left = { ...said, isCutShort: false, verification: asJson(result) };
  // What it says is of no commit: where the task is put off, the last good one is verified anew.
  const unfit = { ...unblocked, ...left, ...shown(worktree, commit), verifiedAt: null, pending: asJson(heard.said) }; // prettier-ignore
  const problem = { task, folder: worktree.folder, facts: verdictOf(result) };
  if (!judged.isNoWorse) return foundProblem(activity, judged, { ...problem, patch: unfit });
  const checked = await manner.check(knowing(activity, left), worktree, { task, commit });
  if (checked.kind === 'stopped') return stoppedBy(checked.outcome, { ...left, ...checked.patch }, worktree);
  if (checked.kind === 'failed') {
    return foundProblem(activity, checked.comparison, { ...problem, patch: { ...unfit, ...checked.patch } });
  }
  const done = { task, commit, said: heard.said, manner };
  return finished(parts, activity, worktree, { ...done, known: { ...left, ...checked.patch } });
}

/** The files stay as they are until a person has answered. */
const asked = ({ event, patch, data }: NonNullable<Heard['asks']>, left: JsonObject): Report =>
  report(event, { ...unblocked, ...left, isCutShort: true, ...patch }, data);

interface Done {
  readonly task: ProjectTask;
  readonly commit: string;
  readonly said: TaskOutput;
  readonly known: JsonObject;
  readonly manner: Manner;
}

async function finished(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, said, known, manner }: Done,
): Promise<Report> {
  const { patch, outcome } = await commitTask(parts, knowing(activity, known), {
    worktree,
    task,
    commit,
    said,
    isSimulated: isSimulated(activity, known),
  });
  const context = { ...activity.context, ...known, ...patch };
  const made = tasksOf({ context }).find(({ id }) => id === task.id)?.commit ?? null;
  const kept = manner.kept(context, task, made);
  return report('task:finished', { ...unblocked, ...known, ...patch, ...kept }, { task: task.id, outcome });
}

const isSimulated = ({ context }: ActivityContext, known: JsonObject): boolean =>
  context['simulated'] === true || known['simulated'] === true;

const startOf = (activity: ActivityContext, worktree: Worktree): { commit: string; checkpoint: number } => ({
  commit: commitOf(activity) ?? worktree.baseCommit,
  checkpoint: activity.checkpoint.seq,
});
