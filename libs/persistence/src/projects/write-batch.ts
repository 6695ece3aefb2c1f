import { storableJson } from '#kernel';
import type { Lease, Write } from '#engine';
import { type Link, type Value, valueOf } from '#checkpoints';
import { ints, texts, uuids } from './binary-array.js';
import { WRITE_BATCH, WRITE_BATCH_WITH_JOURNAL, WRITE_ONE } from './write-batch.sql.js';

/** One project's write, made ready for the statement. */
export interface PreparedWrite {
  readonly lease: Lease;
  readonly write: Write;
  readonly link: Link | null;
  /** What changed in the manifest: hash per key, null for a removed one. */
  readonly delta: Readonly<Record<string, string | null>>;
  readonly values: readonly Value[];
}

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Collects the texts of a batch in one buffer; positions count from 1, as SQL's substring does. */
class Payload {
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  add(part: Uint8Array): Place {
    const place = { at: this.length + 1, length: part.length };
    this.parts.push(part);
    this.length += part.length;
    return place;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.parts, this.length);
  }
}

const NOWHERE: Place = { at: 0, length: 0 };

export function batchQuery(batch: readonly PreparedWrite[]): Query {
  const payload = new Payload();
  const items = batch.map((prepared, item) => itemOf(prepared, item, payload));
  const shared = [batch[0]?.lease.workerId, ...contentColumns(batch, payload), ...eventColumns(batch, payload)];
  const hasJournal = batch.some(({ write }) => write.journal?.length || write.consumed?.length);
  const [lone] = items;
  if (hasJournal) {
    const values = [...itemColumns(items), ...shared, ...journalColumns(batch)];
    return { ...WRITE_BATCH_WITH_JOURNAL, values: [payload.toBuffer(), ...values] };
  }
  if (lone && items.length === 1)
    return { ...WRITE_ONE, values: [payload.toBuffer(), ...Object.values(lone), ...shared] };
  return { ...WRITE_BATCH, values: [payload.toBuffer(), ...itemColumns(items), ...shared] };
}

/** One row of the statement's input, in its order. */
function itemOf({ lease, write, link, delta }: PreparedWrite, item: number, payload: Payload) {
  const { next } = write;
  const body = link ? payload.add(link.body) : NOWHERE;
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
    bodyAt: body.at,
    bodyLength: body.length,
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
    ints(items.map((one) => one.bodyAt)),
    ints(items.map((one) => one.bodyLength)),
    ints(items.map((one) => one.events)),
  ];
}

/** Each content once, and in the same order in every batch: two that share some never block each other for good. */
function contentColumns(batch: readonly PreparedWrite[], payload: Payload): Buffer[] {
  const contents = new Map<string, Buffer>();
  for (const { write, values } of batch) {
    for (const { hash, content } of values) contents.set(hash, content);
    for (const { status, outcome } of write.journal ?? []) {
      if (status !== 'done') continue;
      const { hash, content } = valueOf(outcome);
      contents.set(hash, content);
    }
  }
  const hashes = [...contents.keys()].sort();
  const places = hashes.map((hash) => payload.add(contents.get(hash) ?? Buffer.alloc(0)));
  return [texts(hashes), ints(places.map(({ at }) => at)), ints(places.map(({ length }) => length))];
}

function eventColumns(batch: readonly PreparedWrite[], payload: Payload): Buffer[] {
  const events = batch.flatMap(({ write }, item) =>
    (write.events ?? []).map(({ type, data }, index) => {
      return { item, nth: index + 1, type, ...payload.add(Buffer.from(storableJson(data))) };
    }),
  );
  return [
    ints(events.map(({ item }) => item)),
    ints(events.map(({ nth }) => nth)),
    texts(events.map(({ type }) => type)),
    ints(events.map(({ at }) => at)),
    ints(events.map(({ length }) => length)),
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
    texts(entries.map(({ status, outcome }) => (status === 'done' ? valueOf(outcome).hash : null))),
    ints(consumed.map(({ item }) => item)),
    ints(consumed.map(({ seq }) => seq)),
  ];
}
