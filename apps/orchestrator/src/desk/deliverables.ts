import type { Artifact, ArtifactContent, Project } from '#contracts';
import { secrets } from '#kernel';
import type { GitWorktrees } from '#workspace';

/** A document that a project was to write, as its newest checkpoint knows it. */
export interface Deliverable {
  readonly path: string;
  readonly commit: string;
  readonly task: string;
}

export const DELIVERABLES = 'deliverables/';

type Source = Pick<GitWorktrees, 'fileAt'>;

/** Documents on the branch, beside the readable files of the project. One that is on no branch any more is left out. */
export async function deliverableOf(
  worktrees: Source,
  { id: projectId, repo, updatedAt }: Pick<Project, 'id' | 'repo' | 'updatedAt'>,
  { path, commit, task }: Deliverable,
): Promise<(ArtifactContent & Artifact) | null> {
  const found = repo ? await worktrees.fileAt({ projectId, repo: repo.path }, commit, path) : null;
  if (!found) return null;
  const name = `${DELIVERABLES}${path}`;
  return {
    name,
    bytes: found.bytes,
    modifiedAt: updatedAt,
    deliverable: { path, commit, task },
    content: secrets.redact(found.text),
  };
}
