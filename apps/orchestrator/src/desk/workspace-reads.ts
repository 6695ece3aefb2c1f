import type { Artifact, ArtifactContent, Project, ProjectDiff } from '#contracts';
import { UserError } from '#kernel';
import type { Artefact, Artefacts, GitWorktrees } from '#workspace';
import type { WorkspaceReads } from '../http/index.js';

/** What a project did in its repository, read from there: also when its worktree is gone. */
export class RepositoryReads implements WorkspaceReads {
  constructor(
    private readonly worktrees: Pick<GitWorktrees, 'diff'>,
    private readonly artefacts: Artefacts,
  ) {}

  async diff({ id: projectId, name, repo, workspace, simulated }: Project): Promise<ProjectDiff> {
    if (!repo || !workspace) {
      throw new UserError('WORKSPACE_NONE', `${name} has no worktree, or not yet: there is nothing to compare`);
    }
    const { branch, baseCommit, headCommit } = workspace;
    const worktree = { projectId, repo: repo.path, folder: '', branch, baseCommit };
    const { files, patch, isCut } = await this.worktrees.diff(worktree, baseCommit, headCommit);
    const range = { from: baseCommit, to: headCommit };
    return { ...range, files: files.map((file) => ({ ...file })), patch, simulated, cut: isCut };
  }

  async artifacts({ name, repo }: Project): Promise<readonly Artifact[]> {
    return repo ? (await this.artefacts.list({ repo: repo.path, name })).map(shown) : [];
  }

  async artifact({ name, repo }: Project, file: string): Promise<ArtifactContent> {
    const found = repo ? await this.artefacts.read({ repo: repo.path, name }, file) : null;
    if (found) return { ...shown(found), content: found.text };
    throw new UserError('ARTEFACT_NOT_FOUND', `${name} has no file ${file}. GET …/artifacts lists what there is.`);
  }
}

const shown = ({ name, bytes, modifiedAt }: Artefact): Artifact => ({
  name,
  bytes,
  modifiedAt: modifiedAt.toISOString(),
});
