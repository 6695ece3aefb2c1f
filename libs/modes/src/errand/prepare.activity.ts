import { detectDomains } from '#discovery';
import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { type CodingParts, listed } from '../coding/coding-context.js';
import { open } from '../shared/enter.js';
import { matchingSkills } from '../shared/matching-skills.js';
import { repeatable } from '../shared/repeatable.js';
import { sideBySide } from '../shared/side-by-side.js';

const MOST_FILES = 2_000;

/** A worktree on the project's own branch, and the skills that fit; the repository's checkout is not touched. */
export const prepare =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, patch } = await open(parts, activity);
    const { sandbox = null } = patch;
    const notes = [...(worktree.notes ?? [])];
    const known = { ...patch, skills: await findSkills(parts, activity, worktree) };
    return report('worktree:ready', known, { sandbox, ...(notes.length > 0 && { notes }) });
  };

/** No team is seated, so nothing else finds them. */
async function findSkills(
  { worktrees, capabilities }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<JsonObject[]> {
  const { request, repo } = activity.project;
  const found = await repeatable(activity, 'skills', async () => {
    const [files, discovered] = await sideBySide(worktrees.files(worktree, MOST_FILES), capabilities(repo?.path ?? ''));
    const domains = detectDomains(request, files).map(({ domain }) => domain);
    return matchingSkills(request, domains, discovered);
  });
  return listed(found);
}
