import { inlineText } from '#checkpoints';
import type { Project } from '#contracts';
import type { Json } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';

export interface WorkspaceView {
  readonly workspace: Project['workspace'];
  readonly isSimulated: boolean;
}

export const NO_WORKSPACE: WorkspaceView = { workspace: null, isSimulated: false };

/**
 * What a machine's activities keep about the project's worktree, under names that every machine shares: `branch`,
 * `baseCommit`, `commit`, `sandbox`, `simulated`. Short values stand in the checkpoint itself, so one look finds them.
 */
export async function workspacesOf(
  prisma: Prisma,
  rows: readonly Pick<ProjectModel, 'id' | 'version' | 'repoPath'>[],
): Promise<ReadonlyMap<string, WorkspaceView>> {
  const withRepo = rows.filter(({ repoPath }) => repoPath !== null);
  if (withRepo.length === 0) return new Map();
  const where = { OR: withRepo.map(({ id, version }) => ({ projectId: id, seq: version })) };
  const select = { projectId: true, manifest: true };
  const links = await asked(() => prisma.checkpoint.findMany({ where, select }));
  return new Map(links.map(({ projectId, manifest }) => [projectId, viewOf(manifest)]));
}

function viewOf(manifest: unknown): WorkspaceView {
  const refs = (manifest ?? {}) as Readonly<Record<string, unknown>>;
  const branch = textOf(refs['branch']);
  const baseCommit = textOf(refs['baseCommit']);
  const headCommit = textOf(refs['commit']);
  const isWhole = branch !== null && baseCommit !== null && headCommit !== null;
  return {
    workspace: isWhole ? { branch, baseCommit, headCommit, sandbox: textOf(refs['sandbox']) } : null,
    isSimulated: valueOf(refs['simulated']) === true,
  };
}

const textOf = (ref: unknown): string | null => {
  const value = valueOf(ref);
  return typeof value === 'string' ? value : null;
};

/** A damaged manifest shows nothing here; whoever claims or verifies the project names it. */
function valueOf(ref: unknown): Json {
  const text = typeof ref === 'string' ? inlineText(ref) : null;
  if (text === null) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
