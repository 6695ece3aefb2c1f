import type { ActivityContext } from '#engine';
import type { SetupResult, Worktree } from '#workspace';
import { asJson, commitOf, type ErrandParts, orderOf } from './errand-context.js';

type FailedSetup = Extract<SetupResult, { status: 'failed' }>;

export const enter = ({ workshop }: ErrandParts, activity: ActivityContext): Promise<Worktree> =>
  workshop.enter(activity.project, commitOf(activity), activity.signal);

/**
 * The worktree with its dependencies. Whoever works in it comes in here: a worktree that had to be made again, as a
 * fork's is, is set up again.
 */
export async function enterSetUp(
  parts: ErrandParts,
  activity: ActivityContext,
): Promise<{ worktree: Worktree; failed: FailedSetup | null }> {
  const { workshop } = parts;
  const worktree = await enter(parts, activity);
  if (await workshop.isSetUp(worktree)) return { worktree, failed: null };
  const order = orderOf(activity);
  const result = (await activity.effect({
    step: 'set-up',
    settle: { kind: 'repeat' },
    run: async (run) => {
      const done = await workshop.setUp(worktree, order, run);
      run.tell('workspace.set-up', { status: done.status, how: howOf(done) });
      return asJson(done);
    },
  })) as unknown as SetupResult;
  return { worktree, failed: result.status === 'failed' ? result : null };
}

function howOf(result: SetupResult): string {
  if (result.status === 'failed') return result.reason;
  const brought = result.broughtIn.map(({ folders, method }) => `${folders.join(', ')} brought in by ${method}`);
  const ran = result.commands.map(({ command }) => command);
  return [...result.copied.map((file) => `copied ${file}`), ...brought, ...ran].join('; ') || 'nothing to set up';
}
