import { type Activity, type ActivityContext, report } from '#engine';
import { handedIn, type HandedIn, shutDown } from '#team';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, reviewsOf } from './coding-context.js';
import { faceOf, teammateOf, withReviews } from './team-status.js';
import { writeLastPages } from './readable/write-pages.js';

/** What reviewers left that had ended when the project was aborted in the very state that they were asked in. */
const endedBefore = (activity: ActivityContext): Promise<readonly HandedIn[]> =>
  repeatable(activity, 'handed-in', async () => {
    const children = await activity.endedChildren(activity.visit - 1);
    return children.map(({ key, result }) => handedIn(key, result));
  });

/** TEAM_SHUTDOWN: nobody is left working, nothing is left running, and the worktree goes; the branch stays. */
export const shutDownTeam =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { project } = activity;
    await activity.effect({
      step: 'processes',
      settle: { kind: 'repeat' },
      run: async () => {
        await parts.processes.endAll(project.id);
        return null;
      },
    });
    // A reviewer that has handed in has ended: that is its answer. The others are projects that were told to abort.
    const ended = await endedBefore(activity);
    const acknowledged = new Set([...reviewsOf(activity), ...ended].map(({ agent }) => teammateOf(agent)));
    const seen = withReviews(activity, ended.filter(({ status }) => status === 'done')); // prettier-ignore
    const { team } = seen;
    const patch = team ? faceOf({ ...seen, ...shutDown(team, seen.messages, acknowledged) }) : {};
    await writeLastPages(parts, activity, patch);
    await activity.effect({
      step: 'remove',
      settle: { kind: 'repeat' },
      run: async (run) => {
        await parts.workshop.leave(project);
        run.tell('team.shut-down', { team: team?.name ?? null, members: team?.members.length ?? 0 });
        return null;
      },
    });
    return report('team:gone', patch);
  };
