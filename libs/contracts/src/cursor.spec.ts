import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { decodeNumberCursor, decodeTimeCursor, encodeNumberCursor, encodeTimeCursor } from './cursor.js';

const opaque = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const invalid = expect.objectContaining({ code: 'CURSOR_INVALID' }) as Error;

describe('a cursor', () => {
  it('gives its position back', () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const id = newId();
    expect(decodeTimeCursor(encodeTimeCursor(at, id))).toEqual({ at, id });
    expect(decodeNumberCursor(encodeNumberCursor(12))).toBe(12);
  });

  it.each([
    '',
    'x',
    'bm9wZQ',
    opaque(null),
    opaque([1, 2]),
    opaque(['2026-99-99T00:00:00.000Z', newId()]),
    opaque(['2026-01-02T03:04:05.678Z', '-'.repeat(36)]),
    encodeNumberCursor(7),
    `${encodeTimeCursor(new Date(), newId())}=`,
  ])('refuses %j with a code of its own', (cursor) => {
    expect(() => decodeTimeCursor(cursor)).toThrow(invalid);
  });

  it('of one list is not one of another', () => {
    expect(() => decodeNumberCursor(encodeTimeCursor(new Date(), newId()))).toThrow(invalid);
  });
});
