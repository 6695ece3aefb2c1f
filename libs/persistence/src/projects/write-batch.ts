import { storableJson } from '#kernel';
import type { Announcement, Lease, Write } from '#engine';
import type { Link } from '#checkpoints';
import { type BinaryArray, byteas, ints, texts, uuids } from './binary-array.js';
import { eventsText } from './event-group.js';
import { detailsText } from './announce.js';
import { type Hearing, WRITE_BATCH, WRITE_BATCH_WITH_MORE, WRITE_ENTRY, WRITE_ONE } from './write-batch.sql.js';

/** A content and the hash it is stored under. */
export interface StoredValue {
  readonly hash: string;
  readonly content: Buffer;
}

/** One project's write, made ready for the statement. */
export interface PreparedWrite {
  readonly lease: Lease;
  readonly write: Write;
  readonly link: Link | null;
  /** What changed in the manifest: hash per key, null for a removed one. */
  readonly delta: Readonly<Record<string, string | null>>;
  /** Contents to be stored: of the context, and of outcomes in the journal. */
  readonly values: readonly StoredValue[];
  /** The reference to the outcome of each entry in the journal. */
  readonly outcomes: readonly (string | null)[];
}

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A manifest up to this size is sent whole, which spares the database to read and change the previous one. */
const LARGEST_WHOLE_MANIFEST = 400;

/** `hearing` is how a batch with announcements is written; one without is always silent. */
export function batchQuery(batch: readonly PreparedWrite[], hearing: Exclude<Hearing, 'silent'>): Query {
  const [first] = batch;
  const lone = first && batch.length === 1 ? entryQuery(first) : null;
  if (lone) return lone;
  const worker = first?.lease.workerId;
  const kind = hasAnnouncements(batch) ? hearing : 'silent';
  const told = kind === 'told' ? announcementColumns(batch) : [];
  const manifests = wholeManifests(batch);
  if (!manifests) {
    const items = batch.map((one, item) => itemOf(one, item, JSON.stringify(one.delta)));
    const more = [...contentColumns(batch), ...journalColumns(batch)];
    return { ...WRITE_BATCH_WITH_MORE[kind], values: [...itemColumns(items), worker, ...more, ...told] };
  }
  const items = batch.map((one, item) => itemOf(one, item, manifests[item] ?? null));
  const [item] = items;
  if (item && items.length === 1) return { ...WRITE_ONE[kind], values: [...Object.values(item), worker, ...told] };
  return { ...WRITE_BATCH[kind], values: [...itemColumns(items), worker, ...told] };
}

/** Those that are told once have a statement of their own. */
const isOwn = ({ isOnce }: Announcement): boolean => isOnce !== true;

export const hasAnnouncements = (batch: readonly PreparedWrite[]): boolean =>
  batch.some(({ write }) => write.announcements?.some(isOwn));

function announcementColumns(batch: readonly PreparedWrite[]): BinaryArray[] {
  const told = batch.flatMap(({ write }, item) =>
    (write.announcements ?? []).filter(isOwn).map((one) => ({ item, type: one.type, details: detailsText(one) })),
  );
  return [
    ints(told.map(({ item }) => item)),
    texts(told.map(({ type }) => type)),
    texts(told.map(({ details }) => details)),
  ];
}

/** Null for a write that is more than one entry of the journal. */
function entryQuery({ lease, write, values, outcomes }: PreparedWrite): Query | null {
  const { number, next, journal = [], consumed = [], events = [] } = write;
  const [entry] = journal;
  if (!entry || journal.length > 1 || next || consumed.length > 0 || values.length > 1) return null;
  const { projectId, epoch, workerId } = lease;
  const told = events.length > 0 ? eventsText(events) : null;
  const { hash = null, content = null } = values[0] ?? {};
  const kept = [entry.key, entry.status, entry.attempt, outcomes[0] ?? null];
  return { ...WRITE_ENTRY, values: [projectId, epoch, number, workerId, events.length, told, hash, content, ...kept] };
}

/** The manifests of a batch that the lean statement can carry; null for one that needs the full statement. */
function wholeManifests(batch: readonly PreparedWrite[]): (string | null)[] | null {
  const manifests: (string | null)[] = [];
  for (const { write, values, link } of batch) {
    if (values.length > 0 || write.journal?.length || write.consumed?.length) return null;
    const manifest = link && JSON.stringify(link.manifest);
    if (manifest && manifest.length > LARGEST_WHOLE_MANIFEST) return null;
    manifests.push(manifest);
  }
  return manifests;
}

/** One row of the statement's input, in its order. */
function itemOf({ lease, write, link }: PreparedWrite, item: number, manifest: string | null) {
  const { next, events = [] } = write;
  return {
    item,
    id: lease.projectId,
    epoch: lease.epoch,
    number: write.number,
    version: next?.version ?? null,
    state: next?.snapshot.state ?? null,
    status: next?.status ?? null,
    waiting: next?.snapshot.wait ? storableJson(next.snapshot.wait) : null,
    prev: link?.prev ?? null,
    checksum: link?.checksum ?? null,
    seal: link?.seal ?? null,
    manifest,
    body: link?.body ?? null,
    told: events.length,
    events: events.length > 0 ? eventsText(events) : null,
  };
}

function itemColumns(items: readonly ReturnType<typeof itemOf>[]): BinaryArray[] {
  return [
    ints(items.map((one) => one.item)),
    uuids(items.map((one) => one.id)),
    ints(items.map((one) => one.epoch)),
    ints(items.map((one) => one.number)),
    ints(items.map((one) => one.version)),
    texts(items.map((one) => one.state)),
    texts(items.map((one) => one.status)),
    texts(items.map((one) => one.waiting)),
    texts(items.map((one) => one.prev)),
    texts(items.map((one) => one.checksum)),
    texts(items.map((one) => one.seal)),
    texts(items.map((one) => one.manifest)),
    byteas(items.map((one) => one.body)),
    ints(items.map((one) => one.told)),
    texts(items.map((one) => one.events)),
  ];
}

/** Each content once, and in the same order in every batch: two that share some never block each other for good. */
function contentColumns(batch: readonly PreparedWrite[]): BinaryArray[] {
  const contents = new Map<string, Buffer>();
  for (const { values } of batch) for (const { hash, content } of values) contents.set(hash, content);
  const hashes = [...contents.keys()].sort();
  return [texts(hashes), byteas(hashes.map((hash) => contents.get(hash)))];
}

function journalColumns(batch: readonly PreparedWrite[]): BinaryArray[] {
  const entries = batch.flatMap(({ lease, write, outcomes }, item) =>
    (write.journal ?? []).map((entry, nth) => ({ ...entry, item, epoch: lease.epoch, ref: outcomes[nth] ?? null })),
  );
  const consumed = batch.flatMap(({ write }, item) => (write.consumed ?? []).map((seq) => ({ item, seq })));
  return [
    ints(entries.map(({ item }) => item)),
    texts(entries.map(({ key }) => key)),
    texts(entries.map(({ status }) => status)),
    ints(entries.map(({ attempt }) => attempt)),
    ints(entries.map(({ epoch }) => epoch)),
    texts(entries.map(({ ref }) => ref)),
    ints(consumed.map(({ item }) => item)),
    ints(consumed.map(({ seq }) => seq)),
  ];
}
