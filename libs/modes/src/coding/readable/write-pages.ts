import type { HealProblem } from '#contracts';
import type { Activity, ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { deferredFor, deferredFrom, deferredPage } from '#self-heal';
import { checkpointArtefact, type Made } from '#workspace';
import { DECISIONS, decisionsLog } from '../../shared/decisions-log.js';
import { whereItCan } from '../../shared/readable-files.js';
import { repeatable } from '../../shared/repeatable.js';
import { sideBySide } from '../../shared/side-by-side.js';
import { commitOf } from '../../shared/work-parts.js';
import {
  type CodingParts, deferredOf, goodOf, listed, placeOf, problemsOf, scenariosOf, tasksOf,
} from '../coding-context.js'; // prettier-ignore
import { feedbackOf } from '../notes.js';
import type { Scenario } from '../scenario.js';
import { acceptancePage } from './acceptance-page.js';
import { controlPage } from './control-page.js';
import { feedbackPage } from './feedback-page.js';
import { seedState, type Shown } from './seed-state.js';
import { statePage } from './state-page.js';
import { summaryPage } from './summary-page.js';

/** All pages are the face of what the database knows; each can be written again at any time. */

type Parts = Pick<CodingParts, 'artefacts' | 'history' | 'worktrees'>;
type Page = readonly [name: string, text: string];

const TOLD = [...DECISIONS, 'project.created', 'state.entered'];

async function write(
  parts: Parts,
  activity: ActivityContext,
  step: string,
  pages: () => Promise<readonly Page[]>,
): Promise<void> {
  await repeatable(activity, step, async (run) => {
    const all = await pages();
    return whereItCan(run, () => parts.artefacts.writeAll(placeOf(activity), all));
  });
}

const after = (activity: ActivityContext, patch: JsonObject): Shown => ({
  project: activity.project,
  state: activity.state,
  checkpoint: activity.checkpoint,
  context: { ...activity.context, ...patch },
});

async function statePages(parts: Parts, scene: Shown): Promise<readonly Page[]> {
  const { id } = scene.project;
  const [spending, told, made] = await Promise.all([
    parts.history.spent(id),
    parts.history.told(id, TOLD),
    madeIn(parts, scene),
  ]);
  const at = (type: string): Date | null => told.findLast((event) => event.type === type)?.at ?? null;
  const times = { createdAt: at('project.created'), enteredAt: at('state.entered') };
  const feedback = feedbackOf(scene);
  const state = `${JSON.stringify(seedState(scene, { spending, times, made }), null, 2)}\n`;
  return [
    ['decisions.log', decisionsLog(told)],
    ['state.json', state],
    ['STATE.md', statePage(scene)],
    [checkpointArtefact(scene.checkpoint.seq), state],
    ['checkpoints/latest.json', state],
    ...(feedback.length > 0 ? [['PLAN-FEEDBACK.md', feedbackPage(feedback)] as const] : []),
    ...(scenariosOf(scene).length > 0 ? [['UAT.md', acceptanceText(scene)] as const] : []),
    ...(deferredOf(scene).length > 0 ? [['DEFERRED.md', deferredText(scene)] as const] : []),
  ];
}

/** What is on the branch, with the commits of milestones and of people. Where git cannot say, what the tasks say. */
async function madeIn({ worktrees }: Parts, scene: Shown): Promise<Made> {
  const { baseCommit: from, recorded } = scene.context;
  const to = recorded ?? goodOf(scene)?.commit ?? commitOf(scene);
  const commits = tasksOf(scene).flatMap(({ commit }) => commit ?? []);
  if (typeof from !== 'string' || typeof to !== 'string') return { commits, files: [] };
  const { id: projectId, repo } = scene.project;
  return worktrees.made({ projectId, repo: repo?.path ?? '' }, from, to).catch(() => ({ commits, files: [] }));
}

export const writeFirstFiles = (parts: Parts, activity: ActivityContext): Promise<void> =>
  write(parts, activity, 'first-files', async () => [
    ['CONTROL.md', controlPage(activity.project.name)],
    ...(await statePages(parts, after(activity, {}))),
  ]);

/** An activity beside which people get to read where the project stands: it waits for nothing that is not its own. */
export const withPages =
  (parts: Parts, activity: Activity): Activity =>
  async (context) => {
    // A page that cannot be written does not cut off whoever works: what was done is in the journal.
    const [done] = await sideBySide(activity(context), refreshPages(parts, context));
    return done;
  };

/** At the beginning of each state. */
export const refreshPages = (parts: Parts, activity: ActivityContext): Promise<void> =>
  write(parts, activity, 'pages', () => statePages(parts, after(activity, {})));

export const writeAcceptance = (
  parts: Parts,
  activity: ActivityContext,
  scenarios: readonly Scenario[],
): Promise<void> =>
  write(parts, activity, 'acceptance', async () => [
    ['UAT.md', acceptanceText(after(activity, { scenarios: listed(scenarios) }))],
  ]);

const acceptanceText = (scene: Shown): string =>
  acceptancePage(scene.project.name, scenariosOf(scene), scene.context['simulated'] === true);

export const writeSummary = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  write(parts, activity, 'summary', async () => {
    const scene = after(activity, patch);
    const spending = await parts.history.spent(activity.project.id);
    return [['SUMMARY.md', summaryPage(scene, spending, (patch['files'] as JsonObject | undefined) ?? null)]];
  });

export const writeDeferred = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  write(parts, activity, 'deferred', async () => [['DEFERRED.md', deferredText(after(activity, patch))]]);

const deferredText = (scene: Shown): string => {
  const problems = new Map(problemsOf(scene).map((problem) => [problem.id, withOutputs(scene, problem)]));
  return deferredPage(
    deferredOf(scene).map((item) => {
      const problem = problems.get(item.problem ?? '');
      return problem ? { ...deferredFrom(problem), reason: item.reason } : deferredFor(item);
    }),
  );
};

/** What an attempt printed has a key of its own. */
const withOutputs = ({ context }: Shown, problem: HealProblem): HealProblem => ({
  ...problem,
  attempts: problem.attempts.map((attempt) => {
    const kept = context[`attempt-${problem.id}-${String(attempt.number)}`] as { output?: string } | undefined;
    return { ...attempt, output: kept?.output ?? '' };
  }),
});

/** The last ones: how it ended, however it ended. */
export const writeLastPages = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  write(parts, activity, 'last-pages', async () => {
    const { project, context } = activity;
    const scene = after(activity, patch);
    const spending = await parts.history.spent(project.id);
    const files = (context['files'] as JsonObject | undefined) ?? null;
    return [['SUMMARY.md', summaryPage(scene, spending, files)], ...(await statePages(parts, scene))];
  });
