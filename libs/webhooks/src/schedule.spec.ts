import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_REST_MS, retryAfterMs, retryDelayMs } from './schedule.js';
import { verdictOf } from './verdict.js';

const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the schedule', () => {
  it('waits a tenth more or less than it says, and ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(86_400_000), { maxLength: 12 }),
        fc.integer({ min: 1, max: 20 }),
        random,
        (list, tries, chance) => {
          const delay = retryDelayMs(list, tries, null, chance);
          const base = list[tries - 1];
          expect(delay === null).toBe(base === undefined);
          expect(delay ?? 0).toBeGreaterThanOrEqual(Math.floor((base ?? 0) * 0.9));
          expect(delay ?? 0).toBeLessThanOrEqual(Math.ceil((base ?? 0) * 1.1));
        },
      ),
    );
  });

  it('comes back no sooner than it is asked to, and within a day however long that is', () => {
    fc.assert(
      fc.property(fc.nat(), random, (asked, chance) => {
        const delay = retryDelayMs([1_000], 1, asked, chance) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(Math.min(asked, LONGEST_REST_MS));
        expect(delay).toBeLessThanOrEqual(Math.max(LONGEST_REST_MS, 1_100));
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-17T10:00:00Z');

  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['999999999', LONGEST_REST_MS],
    ['Tue, 17 Nov 2026 10:01:00 GMT', 60_000],
    ['Tue, 17 Nov 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['', null],
    ['1e9', null],
    [undefined, null],
  ])('%j is %j', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it('is never more than a day, whatever it says', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = retryAfterMs(header, now) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(LONGEST_REST_MS);
      }),
    );
  });
});

describe('what follows from an answer', () => {
  const after = (status: number | null, retryAfter: number | null = null, tries = 1, isUnresolved = false) =>
    verdictOf({ tries }, { status, error: 'no', ms: 1, isUnresolved, retryAfterMs: retryAfter }, [1_000], 0.5);

  it('is that it arrived only without an error', () => {
    const outcome = { status: 204, error: null, ms: 1, isUnresolved: false, retryAfterMs: null };
    expect(verdictOf({ tries: 1 }, outcome, [], 0)).toEqual({ kind: 'delivered' });
  });

  it.each([
    ['a failure is tried again', after(500), { kind: 'retry', delayMs: 1_000, restMs: null }],
    ['no answer is tried again', after(null), { kind: 'retry', delayMs: 1_000, restMs: null }],
    ['a redirect is a failure', after(302), { kind: 'retry', delayMs: 1_000, restMs: null }],
    ['429 gives the endpoint a rest', after(429), { kind: 'retry', delayMs: 1_000, restMs: 1_000 }],
    ['429 says how long', after(429, 9_000), { kind: 'retry', delayMs: 9_000, restMs: 9_000 }],
    ['502 gives it a rest', after(502), { kind: 'retry', delayMs: 1_000, restMs: 1_000 }],
    ['504 gives it a rest', after(504), { kind: 'retry', delayMs: 1_000, restMs: 1_000 }],
    [
      'a name without an address gives it a rest',
      after(null, null, 1, true),
      { kind: 'retry', delayMs: 1_000, restMs: 1_000 },
    ],
    ['503 says when to come back', after(503, 9_000), { kind: 'retry', delayMs: 9_000, restMs: null }],
    ['410 ends it', after(410), { kind: 'gone', reason: 'it answered 410 Gone' }],
    ['the last one is given up', after(500, null, 2), { kind: 'failed', reason: 'no' }],
  ])('%s', (_what, verdict, expected) => {
    expect(verdict).toEqual(expected);
  });
});
