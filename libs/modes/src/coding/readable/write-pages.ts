import type { Activity, ActivityContext, Resting } from '#engine';
import { errorMessage, type JsonObject } from '#kernel';
import { checkpointArtefact, type Made, type Pending } from '#workspace';
import { DECISIONS, decisionsLog, MOVES } from '../../shared/decisions-log.js';
import type { ToldEvent } from '../../history.js';
import { currentIn } from '../../shared/current-project.js';
import type { Changes } from '../../shared/page-parts.js';
import { whereItCan } from '../../shared/readable-files.js';
import { repeatable } from '../../shared/repeatable.js';
import { LOGGED_EVENTS } from '../../shared/session-log.js';
import { sideBySide } from '../../shared/side-by-side.js';
import { unknownItems, type Unseen } from '../../shared/unknown-items.js';
import { commitOf } from '../../shared/work-parts.js';
import { type CodingParts, deferredOf, goodOf, listed, placeOf, scenariosOf, tasksOf } from '../coding-context.js';
import { feedbackOf } from '../notes.js';
import type { Scenario } from '../scenario.js';
import { contextOf } from '../context.js';
import { acceptancePage } from './acceptance-page.js';
import { checksPage } from './checks-page.js';
import { controlPageOf } from './control-page.js';
import { earlyPages } from './early-pages.js';
import { feedbackPage } from './feedback-page.js';
import { deferredText } from './deferred-text.js';
import { seedState, type Shown } from './seed-state.js';
import { statePage } from './state-page.js';
import { summaryPage } from './summary-page.js';

/** All pages are the face of what the database knows; each can be written again at any time. */

export type PageParts = Pick<CodingParts, 'artefacts' | 'history' | 'worktrees'> & {
  /** Of a mode without tasks: its states, in the order of their doing. */
  readonly steps?: readonly string[];
};
type Parts = PageParts;
type Page = readonly [name: string, text: string];

const TOLD = [...new Set<string>([...DECISIONS, ...MOVES, ...LOGGED_EVENTS, 'project.created'])];

/** Only what goes wrong is for the journal: pages are written again after a crash, and each entry keeps the work waiting. */
export async function write(
  { artefacts }: Pick<Parts, 'artefacts'>,
  activity: ActivityContext,
  step: string,
  pages: () => Promise<readonly Page[]>,
  /** What is written besides. */
  more: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const put = async (): Promise<void> => {
    await sideBySide(
      pages().then((made) => artefacts.writeAll(placeOf(activity), made)),
      more(),
    );
  };
  try {
    await put();
  } catch {
    await repeatable(activity, step, (run) => whereItCan(run, put));
  }
}

/** Which project of the repository is at hand: derived whole, as others write it too. */
const keepCurrent = ({ artefacts, history }: Pick<Parts, 'artefacts' | 'history'>, scene: Pick<Shown, 'project'>) => {
  const { repo } = placeOf(scene);
  return artefacts.keepCurrent(repo, () => currentIn(history, repo));
};

const after = (activity: ActivityContext, patch: JsonObject): Shown => ({
  project: activity.project,
  state: activity.state,
  visit: activity.visit,
  checkpoint: activity.checkpoint,
  context: { ...activity.context, ...patch },
});

export async function statePages(parts: Parts, scene: Shown): Promise<readonly Page[]> {
  const { id } = scene.project;
  const [spending, told, made, pending, unsettled, isThere, hasControl, hasDeferred] = await Promise.all([
    parts.history.spent(id),
    parts.history.told(id, TOLD),
    madeIn(parts, scene),
    pendingIn(parts, scene),
    parts.history.unsettled(id).catch(() => null),
    hasBegun(parts, scene),
    hasControlFile(parts, scene),
    hasDeferredPage(parts, scene),
  ]);
  const at = (type: string): Date | null => told.findLast((event) => event.type === type)?.at ?? null;
  const times = { createdAt: at('project.created'), enteredAt: at('state.entered') };
  const feedback = feedbackOf(scene);
  const unknown = unknownItems({
    status: scene.status ?? 'running',
    // Whoever shows a project at rest holds it, and works on no file.
    unsettled: unsettled && { ...unsettled, isDriven: scene.status === undefined },
    pending,
  });
  const state = `${JSON.stringify(seedState(scene, { spending, times, made }), null, 2)}\n`;
  return [
    ...(hasControl ? [] : [['CONTROL.md', controlPageOf(scene.project)] as const]),
    ...(isThere ? [] : earlyPages(scene)),
    ['decisions.log', decisionsLog(parts.steps ? told.filter(isByPeople) : told)],
    ['state.json', state],
    ['STATE.md', statePage(scene, { told, pending, unknown, ...(parts.steps && { steps: parts.steps }) })],
    [checkpointArtefact(scene.checkpoint.seq), state],
    ['checkpoints/latest.json', state],
    ...(feedback.length > 0 ? [['PLAN-FEEDBACK.md', feedbackPage(feedback)] as const] : []),
    ...(scenariosOf(scene).length > 0 ? [['UAT.md', acceptanceText(scene)] as const] : []),
    ...(deferredOf(scene).length > 0 || scene.state === 'BLOCKED' || hasDeferred
      ? [['DEFERRED.md', deferredText(scene)] as const]
      : []),
  ];
}

/** A mode without tasks decides nothing between its steps that a person would look for. */
const isByPeople = ({ type }: ToldEvent): boolean => DECISIONS.some((one) => one === type);

/** Whoever cannot read there hears of it when it is written to. */
const hasBegun = async ({ artefacts }: Parts, scene: Shown): Promise<boolean> =>
  (await artefacts.read(placeOf(scene), 'state.json').catch(() => null)) !== null;

/** People write to it: whatever is in its place is left to who looks after it. */
const hasControlFile = async ({ artefacts }: Parts, scene: Shown): Promise<boolean> =>
  (await artefacts.read(placeOf(scene), 'CONTROL.md').catch(() => true)) !== null;

/** A page that was written at a block must not say later that the project is blocked. */
const hasDeferredPage = async ({ artefacts }: Parts, scene: Shown): Promise<boolean> =>
  (await artefacts.read(placeOf(scene), 'DEFERRED.md').catch(() => null)) !== null;

/** What is on the branch, with the commits of milestones and of people. Where git cannot say, what the tasks say. */
async function madeIn({ worktrees }: Parts, scene: Shown): Promise<Made> {
  const { baseCommit: from } = scene.context;
  const to = endOf(scene);
  const commits = tasksOf(scene).flatMap(({ commit }) => commit ?? []);
  if (typeof from !== 'string' || typeof to !== 'string') return { commits, files: [] };
  return worktrees.made(whoseOf(scene), from, to).catch(() => ({ commits, files: [] }));
}

/** The last commit that is on the branch, whatever somebody has in the works. */
const endOf = (scene: Shown): unknown =>
  // One of a mode without tasks has nothing on its branch before its one commit.
  contextOf(scene).recorded ?? goodOf(scene)?.commit ?? (scene.project.machine === 'errand' ? null : commitOf(scene));

/** What git sees in the worktree now; at rest also whether the newest checkpoint has it so. */
async function pendingIn({ worktrees }: Parts, scene: Shown): Promise<Pending | Unseen | null> {
  const isAtRest = scene.status !== undefined;
  const commit = commitOf(scene);
  // Of one that has ended the worktree is gone; what was in it, its branch has.
  if (commit === null || scene.status === 'completed' || scene.status === 'aborted') return null;
  return worktrees.pending(whoseOf(scene), isAtRest ? commit : null).then(
    (found) =>
      found ?? (isAtRest ? { reason: 'its worktree is not on this machine, or is yet to be made again' } : null),
    (error: unknown) => ({ reason: `git could not say: ${errorMessage(error)}` }),
  );
}

const whoseOf = ({ project: { id: projectId, repo } }: Shown): { projectId: string; repo: string } => ({
  projectId,
  repo: repo?.path ?? '',
});

/** STATE.md and what goes with it. */
const writeState = (parts: Parts, activity: ActivityContext, step: string, pages: () => Promise<readonly Page[]>) =>
  write(parts, activity, step, pages, () => keepCurrent(parts, activity));

export const writeFirstFiles = (parts: Parts, activity: ActivityContext): Promise<void> =>
  writeState(parts, activity, 'first-files', () => statePages(parts, after(activity, {})));

/** An activity beside which people get to read where the project stands: it waits for nothing that is not its own. */
export const withPages =
  (parts: Parts, activity: Activity): Activity =>
  async (context) => {
    // A page that cannot be written does not cut off whoever works: what was done is in the journal.
    const [done] = await sideBySide(activity(context), refreshPages(parts, context));
    return done;
  };

/** Before an activity that writes pages of its own. */
export const afterPages =
  (parts: Parts, activity: Activity): Activity =>
  async (context) => {
    await refreshPages(parts, context);
    return activity(context);
  };

/** Where it comes to rest no activity runs beside which they could be written. */
export const writePagesAtRest =
  (parts: Parts) =>
  async (scene: Resting): Promise<void> => {
    if (scene.isNews || !(await areThere(parts, scene))) {
      await parts.artefacts.writeAll(placeOf(scene), await statePages(parts, scene));
    }
    await keepCurrent(parts, scene);
  };

/** Whether the pages are there that this visit of the state is to have: people, and restores, may leave others. */
async function areThere({ artefacts }: Parts, scene: Resting): Promise<boolean> {
  const [page, state] = await Promise.all(
    ['STATE.md', 'state.json'].map((name) => artefacts.read(placeOf(scene), name).catch(() => null)),
  );
  if (!page || !state) return false;
  try {
    const { project, visit } = JSON.parse(state.text) as Readonly<Record<string, unknown>>;
    return project === scene.project.id && visit === scene.visit;
  } catch {
    return false;
  }
}

/** At the beginning of each state. */
export const refreshPages = (parts: Parts, activity: ActivityContext): Promise<void> =>
  writeState(parts, activity, 'pages', () => statePages(parts, after(activity, {})));

export const writeAcceptance = (
  parts: Parts,
  activity: ActivityContext,
  scenarios: readonly Scenario[],
): Promise<void> =>
  write(parts, activity, 'acceptance', async () => [
    ['UAT.md', acceptanceText(after(activity, { scenarios: listed(scenarios) }))],
  ]);

const acceptanceText = (scene: Shown): string =>
  acceptancePage(scene.project.name, scenariosOf(scene), contextOf(scene).simulated === true);

export const writeSummary = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  write(parts, activity, 'summary', async () => {
    const scene = after(activity, patch);
    const { id } = activity.project;
    const [spending, unheard] = await Promise.all([parts.history.spent(id), parts.history.unheard(id)]);
    const outcome = { end: null, files: changesOf(scene), names: [], unheard };
    return [['SUMMARY.md', summaryPage(scene, spending, outcome)], ...closingPages(scene)];
  });

/** At the end they are there even where there is nothing to say: nobody has to wonder. */
const closingPages = (scene: Shown): readonly Page[] => [
  ['UAT.md', acceptanceText(scene)],
  ['DEFERRED.md', deferredText(scene)],
  ['CHECKS.md', checksPage(scene.project.name, contextOf(scene).checks ?? [])],
];

export const writeDeferred = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  write(parts, activity, 'deferred', async () => [['DEFERRED.md', deferredText(after(activity, patch))]]);

/** The last ones: how it ended, however it ended. */
export const writeLastPages = (parts: Parts, activity: ActivityContext, patch: JsonObject): Promise<void> =>
  writeState(parts, activity, 'last-pages', async () => {
    const { id } = activity.project;
    const left = after(activity, patch);
    const [spending, unheard, made, entered] = await Promise.all([
      parts.history.spent(id),
      parts.history.unheard(id),
      madeIn(parts, left),
      parts.history.told(id, ['state.entered']),
    ]);
    const names = made.files.filter((file) => !file.startsWith('.qralph/'));
    const ending = endedAs(left, entered.at(-1)?.data ?? {});
    // Should nobody live to write them again when it has ended, they have said so all the same.
    const scene: Shown = { ...left, ending };
    const outcome = { end: ending, files: changesOf(scene), names, unheard };
    const pages = [['SUMMARY.md', summaryPage(scene, spending, outcome)] as const, ...closingPages(scene)];
    return [...pages, ...(await statePages(parts, scene))];
  });

const changesOf = ({ context }: Shown): Changes | null => contextOf({ context }).files ?? null;

/** By how it came to its last state. What was accepted may still be rejected by a person. */
const endedAs = ({ context }: Shown, { from, cause }: JsonObject): 'completed' | 'aborted' => {
  const isComplete = from === 'COMPLETE' || (from === 'FUTURE_REQ' && contextOf({ context }).isAccepted === true);
  return cause !== 'ABORT' && isComplete ? 'completed' : 'aborted';
};
