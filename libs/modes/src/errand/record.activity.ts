import { type Activity, type ActivityContext, report } from '#engine';
import { agentArtefact } from '#workspace';
import { contextOf } from '../coding/context.js';
import { checksPage } from '../coding/readable/checks-page.js';
import { type PageParts, statePages } from '../coding/readable/write-pages.js';
import { enter } from '../shared/enter.js';
import { MOST_FILES } from '../shared/page-parts.js';
import { whereItCan } from '../shared/readable-files.js';
import { asJson, commitOf, shown, type WorkParts } from '../shared/work-parts.js';
import { ROLE } from './prompt.js';
import { saidPage, summaryPage } from './summary.js';

/** The change becomes one commit on the project's branch. */
export const record =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { worktrees } = parts;
    const worktree = await enter(parts, activity);
    const commit = await activity.effect({
      step: 'commit',
      settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
      run: async (run) => {
        // Exactly what was verified, whatever has happened to the files since.
        await worktrees.reset(worktree, commitOf(activity) ?? worktree.baseCommit);
        return worktrees.commit(worktree, messageOf(activity), activity.checkpoint, run);
      },
    });
    const files = await activity.effect({
      step: 'changes',
      settle: { kind: 'repeat' },
      run: async () => {
        const { files: all } = await worktrees.diff(worktree, worktree.baseCommit, commit);
        return { shown: all.slice(0, MOST_FILES).map(asJson), more: Math.max(0, all.length - MOST_FILES) };
      },
    });
    return report('change:recorded', { ...shown(worktree, commit), recorded: commit, files }, { commit });
  };

/** The end of every errand: its readable files are written, its worktree goes, its branch stays. */
export const tidy =
  ({ workshop, artefacts, history }: WorkParts, pages: PageParts): Activity =>
  async (activity) => {
    const { project, effect } = activity;
    const repo = project.repo?.path ?? '';
    await effect({
      step: 'summary',
      settle: { kind: 'repeat' },
      run: async (run) => {
        const place = { repo, name: project.name };
        const [spending, unheard] = await Promise.all([history.spent(project.id), history.unheard(project.id)]);
        return whereItCan(run, async () => {
          await artefacts.writeAll(place, [
            ['SUMMARY.md', summaryPage(activity, spending, unheard)],
            ['CHECKS.md', checksPage(project.name, contextOf(activity).checks ?? [])],
            [agentArtefact(ROLE), saidPage(activity, spending)],
            ...(await statePages(pages, activity)),
          ]);
        });
      },
    });
    await effect({
      step: 'remove',
      settle: { kind: 'repeat' },
      run: async () => {
        await workshop.leave(project);
        return null;
      },
    });
    return report('tidied');
  };

function messageOf(activity: ActivityContext): string {
  const subject = (activity.project.request.split('\n')[0] ?? '').slice(0, 72);
  const note = contextOf(activity).simulated === true ? '\n\nMade by a simulated model.' : '';
  return `${subject}${note}`;
}
