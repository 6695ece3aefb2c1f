import type { Json, JsonObject } from '#kernel';
import type { Announcement, JournalEntry, NewEvent, ProjectFacts, Signal, Snapshot, StateTimer, Status } from '#engine';
import { forgeLink, GENESIS, inlineText, type Manifest, type StoredLink, valueOf } from '#checkpoints';

/** One project's rows, as the tables of the real store hold them. */
export interface MemoryProject {
  readonly facts: ProjectFacts;
  readonly parentIncarnation: number | null;
  state: string;
  status: Status;
  version: number;
  headChecksum: string;
  runnable: boolean;
  leaseWorker: string | null;
  leaseEpoch: number;
  writes: number;
  signals: (Signal & { consumed: boolean; at: number })[];
  events: (NewEvent & { seq: number; version: number; at: number })[];
  /** What an endpoint that wants to know everything is told. */
  announcements: (Announcement & { version: number })[];
  links: StoredLink[];
  effects: Map<string, JournalEntry & { starts: number }>;
}

export interface MemorySeed {
  readonly facts: ProjectFacts;
  readonly snapshot: Snapshot;
  readonly status: Status;
  readonly runnable: boolean;
  readonly incarnation?: number;
  readonly timer?: StateTimer | undefined;
}

export type Blobs = Map<string, Buffer>;

export function newMemoryProject(seed: MemorySeed, blobs: Blobs, at: number): MemoryProject {
  const manifest = storeValues(seed.snapshot.context, blobs);
  const { facts, snapshot } = seed;
  const link = forgeLink({ facts, snapshot, seq: 1, prev: GENESIS, manifest, cause: 'created', epoch: 0 }, null);
  return {
    facts,
    parentIncarnation: seed.incarnation ?? null,
    state: snapshot.state,
    status: seed.status,
    version: 1,
    headChecksum: link.checksum,
    runnable: seed.runnable,
    leaseWorker: null,
    leaseEpoch: 0,
    writes: 0,
    signals: [],
    events: [{ type: 'project.created', data: {}, seq: 1, version: 1, at }],
    announcements: [],
    links: [{ ...link, quarantined: null }],
    effects: new Map(),
  };
}

export function storeValues(context: Readonly<Record<string, Json>>, blobs: Blobs): Manifest {
  const manifest: Record<string, string> = {};
  for (const [key, json] of Object.entries(context)) {
    const { ref, content } = valueOf(json);
    if (content) blobs.set(ref, content);
    manifest[key] = ref;
  }
  return manifest;
}

export function contextFrom(manifest: Manifest, blobs: Blobs): JsonObject {
  const context: Record<string, Json> = {};
  for (const [key, ref] of Object.entries(manifest)) {
    context[key] = JSON.parse(inlineText(ref) ?? blobs.get(ref)?.toString('utf8') ?? 'null') as Json;
  }
  return context;
}
