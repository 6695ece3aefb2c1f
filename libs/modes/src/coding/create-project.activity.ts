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
    const { patch } = await openProject(parts, activity);
    return report('project:created', patch, { sandbox: patch['sandbox'] ?? null });
  };

export async function openProject(
  parts: CodingParts,
  activity: ActivityContext,
): Promise<{ readonly worktree: Worktree; readonly patch: JsonObject }> {
  const [{ worktree, patch }] = await sideBySide(open(parts, activity), writeFirstFiles(parts, activity));
  return { worktree, patch: { ...patch, teamName: teamName(activity.project.name) } };
}

export const teamName = (project: string): string => `qralph-${project}`;
