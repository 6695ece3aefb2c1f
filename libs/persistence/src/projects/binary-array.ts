/**
 * Columns of a batch in Postgres' binary array format: nothing to escape on this side and nothing to parse on the
 * other. Layout: dimensions, has-nulls, element type, length, lower bound; then each element's length (-1: null) and
 * its bytes.
 */
interface ElementType<T> {
  readonly oid: number;
  size(value: T): number;
  write(value: T, into: Buffer, at: number): void;
}

type Column<T> = readonly (T | null | undefined)[];

/** Null stands for an empty array, which `unnest` takes for the same: most statements have empty columns. */
export type BinaryArray = Buffer | null;

const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

const int4: ElementType<number> = {
  oid: 23,
  size: () => 4,
  write: (value, into, at) => void into.writeInt32BE(value, at),
};
const text: ElementType<string> = {
  oid: 25,
  size: (value) => Buffer.byteLength(value),
  write: (value, into, at) => void into.write(value, at),
};
const uuid: ElementType<string> = {
  oid: 2950,
  size: () => 16,
  write: (value, into, at) => void into.write(value.replaceAll('-', ''), at, 'hex'),
};
const bytea: ElementType<Uint8Array> = {
  oid: 17,
  size: (value) => value.length,
  write: (value, into, at) => into.set(value, at),
};

export const ints = (column: Column<number>): BinaryArray => binaryArray(int4, column);
export const texts = (column: Column<string>): BinaryArray => binaryArray(text, column);
export const byteas = (column: Column<Uint8Array>): BinaryArray => binaryArray(bytea, column);
export const uuids = (column: Column<string>): BinaryArray => binaryArray(uuid, column);

function binaryArray<T>(type: ElementType<T>, column: Column<T>): BinaryArray {
  if (column.length === 0) return null;
  let bytes = HEADER_BYTES;
  for (const value of column) bytes += 4 + (value === null || value === undefined ? 0 : type.size(value));
  const array = Buffer.allocUnsafe(bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(1, 4);
  array.writeInt32BE(type.oid, 8);
  array.writeInt32BE(column.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of column) {
    const size = value === null || value === undefined ? NULL_LENGTH : type.size(value);
    array.writeInt32BE(size, at);
    at += 4;
    if (value === null || value === undefined) continue;
    type.write(value, array, at);
    at += size;
  }
  return array;
}
