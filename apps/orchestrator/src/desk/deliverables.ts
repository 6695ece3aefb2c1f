import type { Artifact, ArtifactContent, Project } from '#contracts';
import { secrets } from '#kernel';
import type { FileAt, GitWorktrees } from '#workspace';

/** A document that a project was to write, as its newest checkpoint knows it. */
export interface Deliverable {
  readonly path: string;
  readonly commit: string;
  readonly task: string;
}

export const DELIVERABLES = 'deliverables/';

type Owner = Pick<Project, 'id' | 'repo' | 'updatedAt'>;

/** Documents on the branch, beside the readable files of the project. One that is on no branch any more is left out. */
export async function listedDeliverables(
  worktrees: Pick<GitWorktrees, 'sizesAt'>,
  project: Owner,
  known: readonly Deliverable[],
): Promise<readonly Artifact[]> {
  const { id: projectId, repo } = project;
  if (!repo) return [];
  const sizes = new Map<string, ReadonlyMap<string, number>>();
  // One git after the other: a project may have a commit for each of its documents.
  for (const [commit, documents] of Map.groupBy(known, (one) => one.commit)) {
    const paths = documents.map(({ path }) => path);
    sizes.set(commit, await worktrees.sizesAt({ projectId, repo: repo.path }, commit, paths));
  }
  return known.flatMap((one) => {
    const bytes = sizes.get(one.commit)?.get(one.path);
    return bytes === undefined ? [] : [shown(project, one, bytes)];
  });
}

export async function deliverableOf(
  worktrees: Pick<GitWorktrees, 'fileAt'>,
  project: Owner,
  known: Deliverable,
): Promise<ArtifactContent | null> {
  const { id: projectId, repo } = project;
  const found = repo ? await worktrees.fileAt({ projectId, repo: repo.path }, known.commit, known.path) : null;
  return found && { ...shown(project, known, found.bytes), ...contentOf(found), cut: found.isCut };
}

const shown = ({ updatedAt }: Owner, { path, commit, task }: Deliverable, bytes: number): Artifact => ({
  name: `${DELIVERABLES}${path}`,
  bytes,
  modifiedAt: updatedAt,
  deliverable: { path, commit, task },
});

/** So much of the end of a text that was cut may be the beginning of a secret, and half a secret is known for none. */
const LONGEST_SECRET = 16 * 1_024;

/** Bytes that are no text go as they are; where a secret stands among them, what can be read of them without it. */
function contentOf({ content, isCut }: FileAt): Pick<ArtifactContent, 'encoding' | 'content'> {
  const text = textIn(content);
  if (text === null && isClean(content)) return { encoding: 'base64', content: content.toString('base64') };
  const clean = secrets.redact(text ?? content.toString('utf8'));
  return { encoding: 'utf8', content: isCut ? clean.slice(0, -LONGEST_SECRET).toWellFormed() : clean };
}

function isClean(content: Buffer): boolean {
  const characters = content.toString('latin1');
  return secrets.redact(characters) === characters;
}

/** Null where it is none. A character that was cut at its end makes it no less of a text. */
function textIn(content: Buffer): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content, { stream: true });
  } catch {
    return null;
  }
}
