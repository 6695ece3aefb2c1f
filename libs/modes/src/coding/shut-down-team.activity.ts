import { type Activity, type ActivityContext, LeaseLost, report } from '#engine';
import { errorCode, errorMessage, type JsonObject } from '#kernel';
import { shutDown } from '#team';
import { enter } from '../shared/enter.js';
import { repeatable } from '../shared/repeatable.js';
import { isAfterBlock } from '../shared/verification.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import { type CodingParts, listed, messagesOf, reviewsOf, teamOf } from './coding-context.js';
import { keptOfPerson } from './left-by-person.js';
import { teammateOf } from './team-status.js';
import { writeLastPages } from './readable/write-pages.js';

/** Who has handed in, be it in the very state that the project was aborted in. */
async function handedIn(activity: ActivityContext): Promise<readonly string[]> {
  const ended = await activity.effect({
    step: 'handed-in',
    settle: { kind: 'repeat' },
    run: async () => (await activity.endedChildren(activity.visit - 1)).map(({ key }) => key),
  });
  return [...reviewsOf(activity).map(({ agent }) => agent), ...ended];
}

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
    await activity.effect({
      step: 'processes',
      settle: { kind: 'repeat' },
      run: async () => {
        await parts.processes.endAll(project.id);
        return null;
      },
    });
    const team = teamOf(activity);
    // A reviewer that has handed in has ended: that is its answer. The others are projects that were told to abort.
    const acknowledged = new Set((await handedIn(activity)).map(teammateOf));
    const gone = team ? shutDown(team, messagesOf(activity), acknowledged) : null;
    const kept = isAfterBlock(activity) ? await keptFiles(parts, activity) : {};
    const patch = { ...kept, ...(gone && { team: asJson(gone.team), messages: listed(gone.messages) }) };
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
