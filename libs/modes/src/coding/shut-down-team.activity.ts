import { type Activity, type ActivityContext, LeaseLost, report } from '#engine';
import { errorCode, errorMessage, type JsonObject } from '#kernel';
import { handedIn, type HandedIn, shutDown } from '#team';
import { enter } from '../shared/enter.js';
import { repeatable } from '../shared/repeatable.js';
import { isAfterBlock } from '../shared/verification.js';
import { commitOf } from '../shared/work-parts.js';
import { type CodingParts, reviewsOf } from './coding-context.js';
import { keptOfPerson } from './left-by-person.js';
import { faceOf, teammateOf, withReviews } from './team-status.js';
import { writeLastPages } from './readable/write-pages.js';

/** What reviewers left that had ended when the project was aborted in the very state that they were asked in. */
const endedBefore = (activity: ActivityContext): Promise<readonly HandedIn[]> =>
  repeatable(activity, 'handed-in', async () => {
    const children = await activity.endedChildren(activity.visit - 1);
    return children.map(({ key, result }) => handedIn(key, result));
  });

/** What somebody has worked on in the worktree while the project waited outlives it, if it can still be read at all. */
async function keptFiles(parts: CodingParts, activity: ActivityContext): Promise<JsonObject> {
  if (commitOf(activity) === null) return {};
  return repeatable<JsonObject>(activity, 'as-left', async (run) => {
    try {
      const worktree = await enter(parts, activity);
      return keptOfPerson(activity, worktree, await parts.worktrees.snapshot(worktree));
    } catch (error) {
      if (error instanceof LeaseLost || run.signal.aborted) throw error;
      run.tell('workspace.not-kept', { code: errorCode(error), message: errorMessage(error) });
      return {};
    }
  });
}

/** TEAM_SHUTDOWN: nobody is left working, nothing is left running, and the worktree goes; the branch stays. */
export const shutDownTeam =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { project } = activity;
    await repeatable(activity, 'processes', () => parts.processes.endAll(project.id));
    // A reviewer that has handed in has ended: that is its answer. The others are projects that were told to abort.
    const ended = await endedBefore(activity);
    const acknowledged = new Set([...reviewsOf(activity), ...ended].map(({ agent }) => teammateOf(agent)));
    const seen = withReviews(activity, ended.filter(({ status }) => status === 'done')); // prettier-ignore
    const { team } = seen;
    const kept = isAfterBlock(activity) ? await keptFiles(parts, activity) : {};
    const face = team ? faceOf({ ...seen, ...shutDown(team, seen.messages, acknowledged) }) : {};
    const patch = { ...kept, ...face };
    await writeLastPages(parts, activity, patch);
    await repeatable(activity, 'remove', async (run) => {
      await parts.workshop.leave(project);
      run.tell('team.shut-down', { team: team?.name ?? null, members: team?.members.length ?? 0 });
    });
    return report('team:gone', patch);
  };
