import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { enter } from '../shared/enter.js';
import { commitOf, orderOf, shown } from '../shared/work-parts.js';
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
  const { workshop, worktrees } = parts;
  const worktree = await enter(parts, activity);
  const commit = await activity.effect({
    step: 'look',
    settle: { kind: 'repeat' },
    run: () => worktrees.head(worktree),
  });
  const { kind: sandbox } = workshop.sandbox(orderOf(activity));
  const patch = {
    ...shown(worktree, commitOf(activity) ?? commit),
    sandbox,
    notes: [...(worktree.notes ?? [])],
    teamName: teamName(activity.project.name),
  };
  await writeFirstFiles(parts, activity);
  return { worktree, patch };
}

export const teamName = (project: string): string => `qralph-${project}`;
