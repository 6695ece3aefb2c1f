import { storableJson } from '#kernel';
import type { Lease, Write } from '#engine';
import { type Link, valueOf } from '#checkpoints';
import { byteas, ints, texts, uuids } from './binary-array.js';
import { WRITE_BATCH, WRITE_BATCH_WITH_JOURNAL, WRITE_ONE } from './write-batch.sql.js';

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
  readonly values: readonly StoredValue[];
}

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export function batchQuery(batch: readonly PreparedWrite[]): Query {
  const items = batch.map(itemOf);
  const shared = [batch[0]?.lease.workerId, ...contentColumns(batch), ...eventColumns(batch)];
  const hasJournal = batch.some(({ write }) => write.journal?.length || write.consumed?.length);
  const [lone] = items;
  if (hasJournal) {
    return { ...WRITE_BATCH_WITH_JOURNAL, values: [...itemColumns(items), ...shared, ...journalColumns(batch)] };
  }
  if (lone && items.length === 1) return { ...WRITE_ONE, values: [...Object.values(lone), ...shared] };
  return { ...WRITE_BATCH, values: [...itemColumns(items), ...shared] };
}

/** One row of the statement's input, in its order. */
function itemOf({ lease, write, link, delta }: PreparedWrite, item: number) {
  const { next } = write;
  return {
    item,
    id: lease.projectId,
    epoch: lease.epoch,
    number: write.number,
    version: next?.version ?? null,
    state: next?.snapshot.state ?? null,
    status: next?.status ?? null,
    waiting: next?.snapshot.wait ? storableJson(next.snapshot.wait) : null,
    checksum: link?.checksum ?? null,
    seal: link?.seal ?? null,
    delta: JSON.stringify(delta),
    body: link?.body ?? null,
    events: write.events?.length ?? 0,
  };
}

function itemColumns(items: readonly ReturnType<typeof itemOf>[]): Buffer[] {
  return [
    ints(items.map((one) => one.item)),
    uuids(items.map((one) => one.id)),
    ints(items.map((one) => one.epoch)),
    ints(items.map((one) => one.number)),
    ints(items.map((one) => one.version)),
    texts(items.map((one) => one.state)),
    texts(items.map((one) => one.status)),
    texts(items.map((one) => one.waiting)),
    texts(items.map((one) => one.checksum)),
    texts(items.map((one) => one.seal)),
    texts(items.map((one) => one.delta)),
    byteas(items.map((one) => one.body)),
    ints(items.map((one) => one.events)),
  ];
}

/** Each content once, and in the same order in every batch: two that share some never block each other for good. */
function contentColumns(batch: readonly PreparedWrite[]): Buffer[] {
  const contents = new Map<string, Buffer>();
  for (const { write, values } of batch) {
    for (const { hash, content } of values) contents.set(hash, content);
    for (const { status, outcome } of write.journal ?? []) {
      if (status !== 'done') continue;
      const { ref, content } = valueOf(outcome);
      if (content) contents.set(ref, content);
    }
  }
  const hashes = [...contents.keys()].sort();
  return [texts(hashes), byteas(hashes.map((hash) => contents.get(hash)))];
}

function eventColumns(batch: readonly PreparedWrite[]): Buffer[] {
  const events = batch.flatMap(({ write }, item) =>
    (write.events ?? []).map(({ type, data }, index) => ({ item, nth: index + 1, type, data: storableJson(data) })),
  );
  return [
    ints(events.map(({ item }) => item)),
    ints(events.map(({ nth }) => nth)),
    texts(events.map(({ type }) => type)),
    texts(events.map(({ data }) => data)),
  ];
}

function journalColumns(batch: readonly PreparedWrite[]): Buffer[] {
  const entries = batch.flatMap(({ lease, write }, item) =>
    (write.journal ?? []).map((entry) => ({ item, epoch: lease.epoch, ...entry })),
  );
  const consumed = batch.flatMap(({ write }, item) => (write.consumed ?? []).map((seq) => ({ item, seq })));
  return [
    ints(entries.map(({ item }) => item)),
    texts(entries.map(({ key }) => key)),
    texts(entries.map(({ status }) => status)),
    ints(entries.map(({ attempt }) => attempt)),
    ints(entries.map(({ epoch }) => epoch)),
    texts(entries.map(({ status, outcome }) => (status === 'done' ? valueOf(outcome).ref : null))),
    ints(consumed.map(({ item }) => item)),
    ints(consumed.map(({ seq }) => seq)),
  ];
}
