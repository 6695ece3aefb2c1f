import { createHash, randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID version 7: ids sort by the time they were made. */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return formatUuid(bytes, 0x70);
}

/** The same name always gives the same id (UUID version 8): creating something twice is then creating it once. */
export function idFromName(name: string): string {
  return formatUuid(createHash('sha256').update(name).digest().subarray(0, 16), 0x80);
}

export const isUuid = (text: string): boolean => UUID.test(text);

function formatUuid(bytes: Buffer, version: number): string {
  bytes[6] = version | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
