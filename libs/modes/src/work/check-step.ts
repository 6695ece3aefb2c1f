import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { goodOf, tasksOf } from '../coding/coding-context.js';
import type { CheckOutcome, CheckRequest } from '../coding/proof/check-outcome.js';
import { namedApart } from '../shared/named-apart.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { repeatable } from '../shared/repeatable.js';
import { type Changes, changesOf } from './changes.js';
import { provenByCommand } from './command-proof.js';
import { hollowDocument } from './hollow-document.js';
import { judgedByAgent } from './judge-step.js';
import { ruleOnStep } from './rule-on-step.js';
import { stepFor } from './step-for.js';
import { failed, held } from './verdicts.js';
import type { WorkModeParts, WorkStep } from './work-context.js';

/**
 * The check that the plan states for a step. Something was changed, its document is there and says something; then its
 * command decides, which the service runs itself, or else an agent that did not write it, with quotes that are there.
 * Where the command proves nothing by itself, both have to hold. If whoever works says that the check is wrong, a third
 * agent rules.
 */
export const checkStep =
  (parts: WorkModeParts) =>
  async (
    activity: ActivityContext,
    worktree: Worktree,
    { task, commit, wrongCheck: claim = null }: CheckRequest,
  ): Promise<CheckOutcome> => {
    const step = stepFor(activity, task);
    const { from, changes } = await changesFor(parts, activity, worktree, { step, commit });
    const lacking = await lackingIn(parts, activity, worktree, { step, commit, changes });
    if (lacking !== null) return failed(step, lacking);
    const seen = { step, commit, changes };
    const checked = await askCheck(parts, activity, worktree, { ...seen, from });
    if (checked.kind !== 'failed') return checked;
    const output = checked.comparison.worst?.output ?? '';
    const scene = withPatchedContext(activity, checked.patch);
    const ruled = await ruleOnStep(parts, scene, worktree, { step, commit, output, claim });
    const patch = { ...checked.patch, ...ruled.patch };
    if (ruled.kind === 'stopped') return { ...ruled, patch };
    if (!ruled.successor) return { ...checked, patch };
    const anew = withPatchedContext(namedApart(scene, 'ruled'), ruled.patch);
    const judged = await judgedByAgent(parts, anew, worktree, { ...seen, step: ruled.successor });
    return { ...judged, patch: { ...patch, ...judged.patch } };
  };

/** The command of the step, an agent, or both. */
async function askCheck(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, ...seen }: Looked & { readonly from: string },
): Promise<CheckOutcome> {
  const { step, commit, changes } = seen;
  const { command } = step;
  if (command === null) return judgedByAgent(parts, activity, worktree, seen);
  const proof = await provenByCommand(parts, activity, worktree, { command, from, commit });
  const { run, why, doubts } = proof;
  if (why !== null) return failed(step, why, { command, output: `${why}\n${run.output}` });
  if (doubts.length > 0) return judgedByAgent(parts, activity, worktree, { ...seen, proof });
  const because = `the service ran ${command} twice: exit code ${String(run.exitCode)}`;
  return held(step, changes, { by: 'its command', because, run, quotes: [] }, {});
}

/**
 * What the step changed, and since when. An earlier step may have done it already: then all changes of the project count,
 * and the check decides as for any other step.
 */
async function changesFor(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step: { file }, commit }: Pick<Looked, 'step' | 'commit'>,
): Promise<{ readonly from: string; readonly changes: Changes }> {
  const base = worktree.baseCommit;
  const from = goodOf(activity)?.commit ?? base;
  const changes = await changesOf(parts, activity, worktree, { from, to: commit, file, effect: 'changes' });
  const isUnchanged = changes.there.length + changes.deleted.length === 0;
  if (!isUnchanged || from === base || tasksOf(activity).every((task) => task.commit === null))
    return { from, changes };
  const all = await changesOf(parts, activity, worktree, { from: base, to: commit, file, effect: 'all-changes' });
  return { from: base, changes: all };
}

interface Looked {
  readonly step: WorkStep;
  readonly commit: string;
  readonly changes: Changes;
}

/** What anybody can see is not there. */
async function lackingIn(
  { worktrees }: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, changes: { there, deleted } }: Looked,
): Promise<string | null> {
  if (there.length + deleted.length === 0) return 'the agent says that it is done, but nothing was changed';
  const { file } = step;
  if (file === null) return null;
  const hollow = await repeatable(activity, 'document', async () => {
    const found = await worktrees.fileAt(worktree, commit, file);
    return found === null ? 'it is not there' : hollowDocument(found.content.toString('utf8'));
  });
  if (hollow !== null) return `the document ${file}: ${hollow}`;
  return !there.includes(file) ? `the document ${file} was not changed` : null;
}
