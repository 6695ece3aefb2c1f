import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { open } from '../shared/enter.js';
import { sideBySide } from '../shared/side-by-side.js';
import type { CodingParts } from './coding-context.js';
import { writeFirstFiles } from './readable/write-pages.js';

/** INIT: a worktree on a branch of its own, and the files in which people read how the project stands. */
export const createProject =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { patch, facts } = await openProject(parts, activity);
    return report('project:created', patch, facts);
  };

export async function openProject(
  parts: CodingParts,
  activity: ActivityContext,
): Promise<{ readonly worktree: Worktree; readonly patch: JsonObject; readonly facts: JsonObject }> {
  const [{ worktree, patch }] = await sideBySide(open(parts, activity), writeFirstFiles(parts, activity));
  // What is odd about the repository, such as changes that are not committed, is told while it can still be mended.
  const { notes = [] } = worktree;
  const facts = { sandbox: patch['sandbox'] ?? null, ...(notes.length > 0 && { notes: [...notes] }) };
  return { worktree, patch: { ...patch, teamName: teamName(activity.project.name) }, facts };
}

export const teamName = (project: string): string => `qralph-${project}`;
