import { type Activity, report } from '#engine';
import type { SetupReport } from '#workspace';
import { asJson, blocked, enter, type ErrandParts, orderOf } from './errand-context.js';

/** Dependencies, once per worktree. One that fails is for a person: no agent can mend a machine. */
export const setUp =
  ({ workshop }: ErrandParts): Activity =>
  async (activity) => {
    const worktree = await enter(workshop, activity);
    const order = orderOf(activity);
    const done = (await activity.effect({
      step: 'set-up',
      settle: { kind: 'repeat' },
      run: async (run) => {
        const result = await workshop.setUp(worktree, order, run);
        run.tell('workspace.set-up', { kind: result.kind, how: result.kind === 'done' ? result.how : result.reason });
        return asJson(result);
      },
    })) as unknown as SetupReport;
    if (done.kind === 'done') return report('setup:done', { setup: asJson(done) }, { how: done.how });
    const output = done.commands.at(-1)?.output ?? '';
    return blocked('setup', done.reason, { output }, { setup: asJson(done) });
  };
