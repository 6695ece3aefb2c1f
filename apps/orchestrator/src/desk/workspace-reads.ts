import type { Artifact, ArtifactContent, Project, ProjectDiff } from '#contracts';
import { UserError } from '#kernel';
import type { Artefact, Artefacts, GitWorktrees } from '#workspace';
import { type Deliverable, deliverableOf, DELIVERABLES, listedDeliverables } from './deliverables.js';
import type { WorkspaceReads } from '../http/index.js';

/** What a project did in its repository, read from there: also when its worktree is gone. */
export class RepositoryReads implements WorkspaceReads {
  constructor(
    private readonly worktrees: Pick<GitWorktrees, 'diff' | 'fileAt' | 'sizesAt'>,
    private readonly artefacts: Artefacts,
    private readonly deliverables: (projectId: string) => Promise<readonly Deliverable[]>,
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

  async artifacts(project: Project): Promise<readonly Artifact[]> {
    const { id, name, repo } = project;
    if (!repo) return [];
    const known = await this.deliverables(id);
    const listed = await listedDeliverables(this.worktrees, project, known);
    return [...(await this.artefacts.list({ repo: repo.path, name })).map(shown), ...listed];
  }

  async artifact(project: Project, file: string): Promise<ArtifactContent> {
    const { id, name, repo } = project;
    const isDocument = file.startsWith(DELIVERABLES);
    const known = isDocument
      ? (await this.deliverables(id)).find(({ path }) => `${DELIVERABLES}${path}` === file)
      : null;
    const document = known && (await deliverableOf(this.worktrees, project, known));
    if (document) return document;
    const found = repo ? await this.artefacts.read({ repo: repo.path, name }, file) : null;
    if (found) return { ...shown(found), encoding: 'utf8', content: found.text, cut: false };
    throw new UserError('ARTEFACT_NOT_FOUND', `${name} has no file ${file}. GET …/artifacts lists what there is.`);
  }
}

const shown = ({ name, bytes, modifiedAt }: Artefact): Artifact => ({
  name,
  bytes,
  modifiedAt: modifiedAt.toISOString(),
});
