import type { Project } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import type { Context } from './prisma-contexts.js';

export interface WorkspaceView {
  readonly workspace: Project['workspace'];
  readonly isSimulated: boolean;
}

/** What a machine's activities keep about the project's worktree, under names that every machine shares. */
export const WORKSPACE_KEYS = ['branch', 'baseCommit', 'commit', 'sandbox', 'simulated'];

export function workspaceView({ repoPath }: Pick<ProjectModel, 'repoPath'>, context: Context): WorkspaceView {
  if (repoPath === null) return { workspace: null, isSimulated: false };
  const text = (key: string): string | null => {
    const value = context[key];
    return typeof value === 'string' ? value : null;
  };
  const [branch, baseCommit, headCommit] = [text('branch'), text('baseCommit'), text('commit')];
  const isWhole = branch !== null && baseCommit !== null && headCommit !== null;
  return {
    workspace: isWhole ? { branch, baseCommit, headCommit, sandbox: text('sandbox') } : null,
    isSimulated: context['simulated'] === true,
  };
}
