import type { Finding } from '#contracts';
import { type Activity, type ActivityContext, report } from '#engine';
import { enter } from '../shared/enter.js';
import { MOST_FILES } from '../shared/page-parts.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import { codingOrderOf, type CodingParts, domainsOf, findingsOf, listed, placeOf, tasksOf } from './coding-context.js';
import { commitReadable } from './readable/commit-readable.js';
import { refreshPages, writeSummary } from './readable/write-pages.js';

/** COMPLETE: what changed is summed up, remembered and, where asked for, put on the branch with its readable files. */
export const finalise =
  (parts: CodingParts, finalMessage: string | null): Activity =>
  async (activity) => {
    const { worktrees } = parts;
    const worktree = await enter(parts, activity);
    const from = worktree.baseCommit;
    const to = commitOf(activity) ?? from;
    const files = await activity.effect({
      step: 'changes',
      settle: { kind: 'repeat' },
      run: async () => {
        const { files: all } = await worktrees.diff(worktree, from, to);
        return { shown: all.slice(0, MOST_FILES).map(asJson), more: Math.max(0, all.length - MOST_FILES) };
      },
    });
    const findings = settled(activity);
    await rememberEnd(parts, activity);
    await refreshPages(parts, activity);
    await writeSummary(parts, activity, { files, findings: listed(findings) });
    const commit = await commitReadable(parts, activity, worktree, { commit: to, finalMessage });
    const patch = { ...shown(worktree, commit), files, findings: listed(findings), recorded: commit };
    return report('project:finalised', patch, { commit });
  };

/** What nobody took up is for people to consider. A plan decides nothing about what it found. */
function settled(activity: ActivityContext): readonly Finding[] {
  const isPlan = codingOrderOf(activity).variant === 'planning';
  const outcome = { kind: 'deferred', commit: null, reason: 'left for people to consider' } as const;
  return findingsOf(activity).map((one) => (one.outcome.kind === 'open' && !isPlan ? { ...one, outcome } : one));
}

/** How it was done is worth knowing where the same is asked for again. */
async function rememberEnd({ memory }: CodingParts, activity: ActivityContext): Promise<void> {
  const done = tasksOf(activity).filter(({ kind, commit }) => kind === 'request' && commit !== null);
  if (done.length === 0) return;
  const { repo, name: project } = placeOf(activity);
  await activity.effect({
    step: 'remember',
    settle: { kind: 'repeat' },
    run: async (run) => {
      for (const { id, note } of done) {
        await memory.remember({
          kind: 'architectural_decision',
          repo,
          domains: domainsOf(activity),
          title: activity.project.request.replaceAll(/\s+/g, ' ').slice(0, 200),
          body: note ?? '',
          project,
          effect: `${run.lease.projectId}/${run.key}/${id}`,
        });
      }
      return null;
    },
  });
}
