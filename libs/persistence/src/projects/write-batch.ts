import { storableJson } from '#kernel';
import type { Lease, Write } from '#engine';
import { type Link, valueOf } from '#checkpoints';
import { arrayLiteral } from './array-literal.js';
import { WRITE_BATCH, WRITE_BATCH_WITH_JOURNAL } from './write-batch.sql.js';

/** One project's write, made ready for the statement. */
export interface PreparedWrite {
  readonly lease: Lease;
  readonly write: Write;
  readonly link: Link | null;
  /** What changed in the manifest: hash per key, null for a removed one. */
  readonly delta: Readonly<Record<string, string | null>>;
  readonly values: readonly { readonly hash: string; readonly content: Buffer }[];
}

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Collects the texts of a batch in one buffer; positions count from 1, as SQL's substring does. */
class Payload {
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  add(part: Uint8Array): { at: number; length: number } {
    const place = { at: this.length + 1, length: part.length };
    this.parts.push(part);
    this.length += part.length;
    return place;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.parts, this.length);
  }
}

type Row = readonly (string | number | null | undefined)[];

/** Turns rows into one array per column, as unnest takes them. */
function columns(rows: readonly Row[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => arrayLiteral(rows.map((row) => row[column])));
}

export function batchQuery(batch: readonly PreparedWrite[]): Query {
  const payload = new Payload();
  const items: Row[] = [];
  const values: Row[] = [];
  const events: Row[] = [];
  const journal: Row[] = [];
  const consumed: Row[] = [];
  batch.forEach(({ lease, write, link, delta, values: contents }, item) => {
    const { next } = write;
    const body = link ? payload.add(link.body) : { at: 0, length: 0 };
    const waiting = next?.snapshot.wait ? storableJson(next.snapshot.wait) : null;
    items.push([
      item, lease.projectId, lease.epoch, write.number, next?.version, next?.snapshot.state, next?.status, waiting,
      link?.checksum, link?.seal, JSON.stringify(delta), body.at, body.length, write.events?.length ?? 0,
    ]); // prettier-ignore
    for (const { hash, content } of contents) {
      const place = payload.add(content);
      values.push([hash, place.at, place.length]);
    }
    write.events?.forEach((event, index) => {
      const place = payload.add(Buffer.from(storableJson(event.data)));
      events.push([item, index + 1, event.type, place.at, place.length]);
    });
    for (const entry of write.journal ?? []) {
      const outcome = entry.status === 'done' ? valueOf(entry.outcome) : null;
      if (outcome) {
        const place = payload.add(outcome.content);
        values.push([outcome.hash, place.at, place.length]);
      }
      journal.push([item, entry.key, entry.status, entry.attempt, lease.epoch, outcome?.hash]);
    }
    for (const seq of write.consumed ?? []) consumed.push([item, seq]);
  });
  const workerId = batch[0]?.lease.workerId;
  const lean = [...columns(items, 14), workerId, ...columns(values, 3), ...columns(events, 5)];
  if (journal.length === 0 && consumed.length === 0) {
    return { ...WRITE_BATCH, values: [payload.toBuffer(), ...lean] };
  }
  return {
    ...WRITE_BATCH_WITH_JOURNAL,
    values: [payload.toBuffer(), ...lean, ...columns(journal, 6), ...columns(consumed, 2)],
  };
}
