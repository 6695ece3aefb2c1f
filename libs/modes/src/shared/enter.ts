import type { ActivityContext, EffectRun } from '#engine';
import { type JsonObject, WorldError } from '#kernel';
import type { Entered, SetupResult, Worktree } from '#workspace';
import { repeatable } from './repeatable.js';
import { commitOf, orderOf, shown, type WorkParts } from './work-parts.js';

/** In one visit of a state. Each follows a loss of the worktree. */
const MOST_SETUPS = 10;

type FailedSetup = Extract<SetupResult, { status: 'failed' }>;

export async function enter({ workshop }: WorkParts, activity: ActivityContext): Promise<Worktree> {
  const { undone, ...worktree } = await entered(workshop, activity);
  if (undone !== undefined) {
    await repeatable(activity, `undone/${undone.at(-1) ?? 'as-it-was'}`, async (run) => tellUndone(run, undone));
    await workshop.undoneTold(worktree);
  }
  return worktree;
}

/** The same for whoever is in the middle of an effect already. */
export async function enterWithin(
  { workshop }: WorkParts,
  activity: ActivityContext,
  run: Pick<EffectRun, 'tell'>,
): Promise<Worktree> {
  const { undone, ...worktree } = await entered(workshop, activity);
  if (undone !== undefined) {
    tellUndone(run, undone);
    await workshop.undoneTold(worktree);
  }
  return worktree;
}

const entered = (workshop: WorkParts['workshop'], activity: ActivityContext): Promise<Entered> =>
  workshop.enter(activity.project, { commit: commitOf(activity), incarnation: activity.incarnation }, activity.signal);

/** Somebody asked for that restore, and may have worked on what it had brought: both are told what became of it. */
const tellUndone = ({ tell }: Pick<EffectRun, 'tell'>, kept: readonly string[]): void =>
  tell('restore.undone', { ...(kept.length > 0 && { kept: kept.join(' ') }) });

/** The worktree of a project that begins, and what its readers are shown of it. */
export async function open(
  parts: WorkParts,
  activity: ActivityContext,
): Promise<{ readonly worktree: Worktree; readonly patch: JsonObject }> {
  const { workshop, worktrees } = parts;
  const worktree = await enter(parts, activity);
  const commit = await repeatable(activity, 'look', () => worktrees.head(worktree));
  const { kind: sandbox } = workshop.sandbox(orderOf(activity));
  const notes = [...(worktree.notes ?? [])];
  return { worktree, patch: { ...shown(worktree, commitOf(activity) ?? commit), sandbox, notes } };
}

/**
 * The worktree with its dependencies. Whoever works in it comes in here: a worktree that had to be made again, as a
 * fork's is, is set up again.
 */
export async function enterSetUp(
  parts: WorkParts,
  activity: ActivityContext,
): Promise<{ worktree: Worktree; failed: FailedSetup | null }> {
  const { workshop } = parts;
  const worktree = await enter(parts, activity);
  // One that is in the journal was done in this visit, but maybe to a worktree that has been lost since.
  for (let nth = 1; !(await workshop.isSetUp(worktree)); nth += 1) {
    if (nth > MOST_SETUPS) {
      throw new WorldError('SETUP_LOST', `${worktree.folder} loses its dependencies as soon as it is set up`);
    }
    const result = await setUpOnce(parts, activity, worktree, nth);
    if (result.status === 'failed') return { worktree, failed: result };
  }
  return { worktree, failed: null };
}

async function setUpOnce(
  { workshop }: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  nth: number,
): Promise<SetupResult> {
  return repeatable(activity, nth === 1 ? 'set-up' : `set-up/${String(nth)}`, async (run) => {
    const done = await workshop.setUp(worktree, orderOf(activity), run);
    run.tell('workspace.set-up', { status: done.status, how: howOf(done) });
    return done;
  });
}

function howOf(result: SetupResult): string {
  if (result.status === 'failed') return result.reason;
  const brought = result.broughtIn.map(({ folders, method }) => `${folders.join(', ')} brought in by ${method}`);
  const ran = result.commands.map(({ command }) => command);
  return [...result.copied.map((file) => `copied ${file}`), ...brought, ...ran].join('; ') || 'nothing to set up';
}
