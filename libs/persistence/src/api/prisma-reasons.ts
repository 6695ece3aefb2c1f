import { inlineText } from '#checkpoints';
import { secrets } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';

const OPEN = ['waiting', 'blocked'];

/**
 * Why projects wait for a person, in their own words: the `why` that every machine's activities may keep in the
 * context. Read only of those that wait.
 */
export async function reasonsOf(
  prisma: Prisma,
  rows: readonly Pick<ProjectModel, 'id' | 'version' | 'status'>[],
): Promise<ReadonlyMap<string, string>> {
  const waiting = rows.filter(({ status }) => OPEN.includes(status));
  if (waiting.length === 0) return new Map();
  const where = { OR: waiting.map(({ id, version }) => ({ projectId: id, seq: version })) };
  const links = await asked(() => prisma.checkpoint.findMany({ where, select: { projectId: true, manifest: true } }));
  const refs = links.flatMap(({ projectId, manifest }) => {
    const { why } = (manifest ?? {}) as { readonly why?: unknown };
    return typeof why === 'string' ? [{ projectId, ref: why, inline: inlineText(why) }] : [];
  });
  const hashes = refs.filter(({ inline }) => inline === null).map(({ ref }) => ref);
  const blobs = hashes.length === 0 ? [] : await asked(() => prisma.blob.findMany({ where: { hash: { in: hashes } } }));
  const texts = new Map(blobs.map(({ hash, content }) => [hash, Buffer.from(content).toString('utf8')]));
  return new Map(
    refs.flatMap(({ projectId, ref, inline }) => {
      const why = textIn(inline ?? texts.get(ref) ?? '');
      return why === null ? [] : [[projectId, why] as const];
    }),
  );
}

/** A damaged value shows nothing here; whoever claims or verifies the project names it. */
function textIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' && value !== '' ? secrets.redact(value) : null;
  } catch {
    return null;
  }
}
