import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryEntry, MemoryKind } from '#contracts';
import { type Candidate, HALF_LIFE_MS, KIND_WEIGHTS, ranked, SAME_DOMAIN } from './rank.js';

const entryOf = (nth: number, kind: MemoryKind, domains: string[]): MemoryEntry => ({
  id: `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`,
  kind, repo: null, domains, title: 'a', body: 'b', project: null,
  createdAt: '2026-01-01T00:00:00Z', expiresAt: null, score: null,
}); // prettier-ignore

const anyNumber = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1e308));
const domain = fc.oneof(fc.constantFrom('auth', '__proto__', 'ui'), fc.string());
const kind = fc.constantFrom(...MemoryKind.options);
const candidates = fc
  .array(fc.record({ kind, domains: fc.array(domain), textRank: anyNumber, ageMs: anyNumber }))
  .map((all) => all.map(({ kind, domains, ...rest }, nth) => ({ entry: entryOf(nth, kind, domains), ...rest })));

const scoreOf = (candidate: Candidate, domains: readonly string[] = []): number =>
  ranked([candidate], domains)[0]?.score ?? NaN;
const some = fc.record({
  entry: kind.map((one) => entryOf(0, one, ['Auth'])),
  textRank: fc.double({ min: 1e-3, max: 1, noNaN: true }),
  ageMs: fc.integer({ min: 0, max: 10 * HALF_LIFE_MS }),
});

describe('ranked', () => {
  it('has every entry once, with a finite score, the best first, whatever it is given', () => {
    fc.assert(
      fc.property(candidates, fc.array(domain), (given, domains) => {
        const sorted = ranked(given, domains);
        const scores = sorted.map(({ score }) => score ?? NaN);
        expect(scores.every(Number.isFinite)).toBe(true);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(sorted.map(({ id }) => id).sort()).toEqual(given.map(({ entry }) => entry.id));
      }),
    );
  });

  it('keeps the order of equals', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 2, max: 20 }), (one, count) => {
        const same = Array.from({ length: count }, (_, nth) => ({ ...one, entry: { ...one.entry, title: `${nth}` } }));
        expect(ranked(same, []).map(({ title }) => Number(title))).toEqual(same.map((_, nth) => nth));
      }),
    );
  });

  it('counts an entry half after thirty days, and one from the future as new', () => {
    fc.assert(
      fc.property(some, (one) => {
        expect(scoreOf({ ...one, ageMs: one.ageMs + HALF_LIFE_MS })).toBeCloseTo(scoreOf(one) / 2, 12);
        expect(scoreOf({ ...one, ageMs: -one.ageMs })).toBe(scoreOf({ ...one, ageMs: 0 }));
      }),
    );
  });

  it('counts a shared domain half as much again, once, however it is spelled', () => {
    fc.assert(
      fc.property(some, (one) => {
        expect(scoreOf(one, ['ui', ' AUTH', 'auth'])).toBeCloseTo(scoreOf(one) * SAME_DOMAIN, 12);
        expect(scoreOf(one, ['ui', 'authority', '__proto__'])).toBe(scoreOf(one));
      }),
    );
  });

  it('lets a shared domain decide before the kind, and the kind between equals', () => {
    const kinds = MemoryKind.options.map((one, nth) => ({ entry: entryOf(nth, one, []), textRank: 1, ageMs: 0 }));
    expect(ranked(kinds, []).map((entry) => entry.kind)).toEqual([
      'successful_workaround', 'failed_approach', 'architectural_decision', 'error_pattern',
    ]); // prettier-ignore
    expect(Math.max(...Object.values(KIND_WEIGHTS))).toBeLessThan(
      SAME_DOMAIN * Math.min(...Object.values(KIND_WEIGHTS)),
    );
  });
});
