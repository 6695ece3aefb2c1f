import type { Finding } from '#contracts';
import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { enter } from '../shared/enter.js';
import { MOST_FILES } from '../shared/page-parts.js';
import { repeatable } from '../shared/repeatable.js';
import { sideBySide } from '../shared/side-by-side.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import { codingOrderOf, type CodingParts, findingsOf, listed, tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
import { keptAtRest } from './left-by-person.js';
import { learn, type Learnt, worthKnowing } from './lessons.js';
import { decisionOf } from './notes.js';
import { commitReadable } from './readable/commit-readable.js';
import { LEFT_TO_PEOPLE } from './readable/left-to-people.js';
import { refreshPages, writeSummary } from './readable/write-pages.js';

/** COMPLETE: what changed is summed up, remembered and, where asked for, put on the branch with its readable files. */
export const finalise =
  (parts: CodingParts, finalMessage: string | null): Activity =>
  async (activity) => {
    const worktree = await enter(parts, activity);
    const to = commitOf(activity) ?? worktree.baseCommit;
    const findings = settled(activity);
    // What a person approved at the gate is the commit that was accepted; what they changed beside it is only kept.
    const left = decisionOf(activity).gate === 'complete' ? await keptAtRest(parts, activity) : {};
    const told = sideBySide(refreshPages(parts, activity), learn(parts, activity, learntAtEnd(activity)));
    const [files] = await sideBySide(changedFiles(parts, activity, worktree, to), told);
    await writeSummary(parts, activity, { ...left, files, findings: listed(findings), why: null });
    const commit = await commitReadable(parts, activity, worktree, { commit: to, finalMessage });
    const known = { files, findings: listed(findings), recorded: commit, why: null };
    const patch = { ...left, ...shown(worktree, commit), ...known };
    return report('project:finalised', patch, { commit });
  };

const changedFiles = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  to: string,
): Promise<JsonObject> =>
  repeatable(activity, 'changes', async () => {
    const { files: all } = await worktrees.diff(worktree, worktree.baseCommit, to);
    return { shown: all.slice(0, MOST_FILES).map(asJson), more: Math.max(0, all.length - MOST_FILES) };
  });

/** What nobody took up is for people to consider. A plan decides nothing about what it found. */
function settled(activity: ActivityContext): readonly Finding[] {
  const isPlan = codingOrderOf(activity).variant === 'planning';
  return findingsOf(activity).map((one) =>
    one.outcome.kind === 'open' && !isPlan ? { ...one, outcome: LEFT_TO_PEOPLE } : one,
  );
}

/** How it was done is worth knowing where the same is asked for again; what did not hold, before it is said again. */
function learntAtEnd(activity: ActivityContext): readonly Learnt[] {
  const { project } = activity;
  const doubt = contextOf(activity).isProven === true ? '' : '\nNothing has proven that it works.';
  const title = project.request.replaceAll(/\s+/g, ' ').slice(0, 200);
  const done = tasksOf(activity).filter(({ kind, commit }) => kind === 'request' && commit !== null);
  const untrue = worthKnowing(findingsOf(activity)).filter(({ outcome }) => outcome.kind === 'not-applicable');
  return [
    ...done.map(({ id, note }) => ({ id, title, body: `${note ?? ''}${doubt}` })),
    ...untrue.map(({ id, title: said, outcome }) => ({
      id,
      title: said,
      body: `It was found not to hold: ${outcome.reason ?? 'nobody said why'}`,
    })),
  ];
}
