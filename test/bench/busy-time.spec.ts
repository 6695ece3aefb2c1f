import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busyMs, type Interval } from './busy-time.js';

const interval = (startedAt: number, endedAt: number): Interval => ({ startedAt, endedAt });

describe('busyMs', () => {
  it('adds up intervals that do not overlap', () => {
    expect(busyMs([interval(10, 20), interval(0, 5)])).toBe(15);
  });

  it('counts an overlap once', () => {
    expect(busyMs([interval(0, 10), interval(5, 15), interval(6, 7)])).toBe(15);
  });

  it('is the number of milliseconds that an interval covers', () => {
    const some = fc.array(fc.tuple(fc.nat(50), fc.nat(50)).map(([start, ms]) => interval(start, start + ms)));
    fc.assert(
      fc.property(some, (intervals) => {
        const covered = new Set(
          intervals.flatMap(({ startedAt, endedAt }) =>
            Array.from({ length: endedAt - startedAt }, (_, ms) => startedAt + ms),
          ),
        );
        expect(busyMs(intervals)).toBe(covered.size);
      }),
    );
  });
});
