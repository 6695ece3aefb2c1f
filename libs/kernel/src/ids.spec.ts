import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idFromName, isUuid, newId } from './ids.js';

const variantAndVersion = (id: string): [string, string] => [id.charAt(14), id.charAt(19)];

describe('newId', () => {
  it('is a UUID of version 7', () => {
    const id = newId();
    expect(isUuid(id)).toBe(true);
    expect(variantAndVersion(id)).toEqual(['7', expect.stringMatching(/[89ab]/)]);
  });

  it('sorts by the time it was made', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 47), fc.integer({ min: 1, max: 2 ** 40 }), (early, later) => {
        expect(newId(early) < newId(early + later)).toBe(true);
      }),
    );
  });

  it('differs each time, also within one millisecond', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newId(1))).size).toBe(1_000);
  });
});

describe('idFromName', () => {
  it('is a UUID of version 8, the same for the same name only', () => {
    expect(variantAndVersion(idFromName('a'))).toEqual(['8', expect.stringMatching(/[89ab]/)]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(isUuid(idFromName(one))).toBe(true);
        expect(idFromName(one) === idFromName(other)).toBe(one === other);
      }),
    );
  });

  it('never changes: what was created by it must be found again', () => {
    expect(idFromName('project/1/1/child')).toBe('ecea6027-266f-8471-bd95-ba4619d97ae5');
  });
});

describe('isUuid', () => {
  it.each([
    '',
    '0199',
    'not-a-uuid',
    "0199aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'; --",
    '0199AAAA-AAAA-7AAA-8AAA-AAAAAAAAAAAA',
  ])('is false for %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
