import { inlineText, readBody, readManifest } from '#checkpoints';
import {
  type Checkpoint,
  type CheckpointDetail,
  decodeNumberCursor,
  encodeNumberCursor,
  type Page,
  type PageQuery,
} from '#contracts';
import { type Json, UserError } from '#kernel';
import type { CheckpointModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import { checksumView } from './project-row.js';

/** The chain as it lies in the store. Nothing is verified here: a broken link is shown as far as it can be read. */
export class PrismaCheckpointReads {
  constructor(private readonly prisma: Prisma) {}

  /** Newest first. */
  async list(projectId: string, { cursor, limit }: PageQuery): Promise<Page<Checkpoint>> {
    const before = cursor === undefined ? undefined : decodeNumberCursor(cursor);
    const where = { projectId, ...(before !== undefined && { seq: { lt: before } }) };
    const rows = await asked(() =>
      this.prisma.checkpoint.findMany({ where, orderBy: { seq: 'desc' }, take: limit + 1 }),
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { data: shown.map(linkView), nextCursor: last ? encodeNumberCursor(last.seq) : null };
  }

  async read(projectId: string, seq: number): Promise<CheckpointDetail> {
    const row = await asked(() => this.prisma.checkpoint.findUnique({ where: { projectId_seq: { projectId, seq } } }));
    if (!row) {
      throw new UserError(
        'CHECKPOINT_NOT_FOUND',
        `The project has no checkpoint ${String(seq)}. List them to see which.`,
      );
    }
    const manifest = readManifest(row.manifest);
    return { ...linkView(row), manifest, snapshot: await this.snapshot(row, manifest) };
  }

  private async snapshot(row: CheckpointModel, manifest: Readonly<Record<string, string>>): Promise<Json> {
    const body = readBody(row);
    if (!body) return null;
    const hashes = Object.values(manifest).filter((ref) => inlineText(ref) === null);
    const blobs = await asked(() => this.prisma.blob.findMany({ where: { hash: { in: hashes } } }));
    const byHash = new Map(blobs.map(({ hash, content }) => [hash, readJson(content)]));
    const valueOf = (ref: string): Json => {
      const text = inlineText(ref);
      return text === null ? (byHash.get(ref) ?? null) : readJson(Buffer.from(text));
    };
    const context = Object.fromEntries(Object.entries(manifest).map(([key, ref]) => [key, valueOf(ref)]));
    return { ...body, context } as unknown as Json;
  }
}

function readJson(content: Uint8Array): Json {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8')) as Json;
  } catch {
    return null;
  }
}

function linkView(row: CheckpointModel): Checkpoint {
  const body = readBody(row);
  const { quarantinedAt, quarantineReason } = row;
  return {
    seq: row.seq,
    checksum: checksumView(row.checksum),
    prev: checksumView(row.prev),
    sealed: row.seal !== null,
    state: body?.state ?? null,
    cause: body?.cause ?? null,
    commit: body?.commit ?? null,
    createdAt: row.createdAt.toISOString(),
    quarantine: quarantinedAt ? { at: quarantinedAt.toISOString(), reason: quarantineReason ?? 'unknown' } : null,
  };
}
