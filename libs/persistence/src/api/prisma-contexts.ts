import { inlineText, readManifest } from '#checkpoints';
import type { Json } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';

/** Values of a project's context by their keys, as its newest checkpoint has them. Anybody may have edited the store. */
export type Context = Readonly<Record<string, Json>>;

/**
 * Some keys of the contexts of projects: one look at their newest checkpoints, where short values stand, and one at the
 * blobs of the longer ones. A damaged value reads as absent; whoever claims or verifies the project names it.
 */
export async function contextsOf(
  prisma: Prisma,
  rows: readonly Pick<ProjectModel, 'id' | 'version'>[],
  keys: readonly string[],
): Promise<ReadonlyMap<string, Context>> {
  if (rows.length === 0) return new Map();
  const where = { OR: rows.map(({ id, version }) => ({ projectId: id, seq: version })) };
  const links = await asked(() => prisma.checkpoint.findMany({ where, select: { projectId: true, manifest: true } }));
  const found = links.map(({ projectId, manifest }) => ({ projectId, refs: refsIn(readManifest(manifest), keys) }));
  const hashes = found.flatMap(({ refs }) => refs.map(([, ref]) => ref)).filter((ref) => inlineText(ref) === null);
  const texts = await textsOf(prisma, [...new Set(hashes)]);
  return new Map(
    found.map(({ projectId, refs }) => {
      const values = refs.flatMap(([key, ref]) => valueIn(key, inlineText(ref) ?? texts.get(ref)));
      return [projectId, Object.fromEntries(values)];
    }),
  );
}

const refsIn = (manifest: Readonly<Record<string, string>>, keys: readonly string[]): [string, string][] =>
  keys.flatMap((key) => (Object.hasOwn(manifest, key) ? [[key, manifest[key] ?? '']] : []));

async function textsOf(prisma: Prisma, hashes: string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const blobs = await asked(() => prisma.blob.findMany({ where: { hash: { in: hashes } } }));
  return new Map(blobs.map(({ hash, content }) => [hash, Buffer.from(content).toString('utf8')]));
}

function valueIn(key: string, text: string | undefined): [string, Json][] {
  if (text === undefined) return [];
  try {
    return [[key, JSON.parse(text) as Json]];
  } catch {
    return [];
  }
}
