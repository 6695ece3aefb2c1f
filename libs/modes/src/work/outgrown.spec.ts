import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { listed } from '../coding/coding-context.js';
import { attemptOf, findingWith, problemOf, taskOf } from '../coding/coding.fixture.js';
import { reasonsToEscalate, workGuards } from './outgrown.js';

type Context = Record<string, Json>;
const holds = (guard: string, context: Context): boolean => workGuards[guard]?.(context, {}, {}) === true;

const priority = fc.constantFrom('P0' as const, 'P1' as const, 'P2' as const);
const kind = fc.constantFrom('open' as const, 'fixed' as const, 'deferred' as const);
const context = fc
  .record({
    domains: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')),
    findings: fc.array(fc.record({ priority, kind }), { maxLength: 4 }),
    attempts: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    escalated: fc.boolean(),
  })
  .map(({ domains, findings, attempts, escalated }) => ({
    count: { domains: domains.length, attempts: attempts.reduce((sum, one) => sum + one, 0) },
    hasP0: findings.some((one) => one.priority === 'P0' && one.kind === 'open'),
    escalated,
    context: {
      domains,
      findings: listed(
        findings.map((one, nth) =>
          findingWith(`F-${String(nth)}`, {
            priority: one.priority,
            outcome: { kind: one.kind, commit: null, reason: null },
          }),
        ),
      ),
      problems: listed(
        attempts.map((made, nth) =>
          problemOf(`P-${String(nth)}`, { attempts: Array.from({ length: made }, (_, at) => attemptOf(at + 1)) }),
        ),
      ),
      ...(escalated && { escalated }),
    },
  }));

describe('work mode is outgrown', () => {
  it('just by more than three domains, an open P0 or three heal attempts, and never twice', () => {
    fc.assert(
      fc.property(context, ({ context: known, count, hasP0, escalated }) => {
        const isMore = count.domains > 3 || hasP0 || count.attempts >= 3;
        expect(holds('outgrew-work-mode', known)).toBe(isMore && !escalated);
        expect(holds('is-escalated', known)).toBe(escalated);
        expect(reasonsToEscalate({ context: known }).length > 0).toBe(isMore);
      }),
    );
  });

  it('by an attempt that a person ended, which has reported nothing', () => {
    const known = { problem: 'P-002', problems: listed([problemOf('P-001', { attempts: [attemptOf(1)] }), problemOf('P-002')]) }; // prettier-ignore
    const ends = (begun: number): boolean =>
      workGuards['outgrew-with-this-attempt']?.(known, {}, { 'heal-attempts/P-001': 5, 'heal-attempts/P-002': begun }) === true; // prettier-ignore
    expect([ends(1), ends(2)]).toEqual([false, true]);
    expect(holds('outgrew-work-mode', known)).toBe(false);
  });

  it('by nothing where nothing is known', () => {
    expect(['outgrew-work-mode', 'is-escalated', 'reviews-remain', 'more-work-remains'].map((name) => holds(name, {}))).toEqual([false, false, false, false]); // prettier-ignore
  });
});

describe('an approved plan needs scoping', () => {
  const tasks = listed([taskOf('T-001', { kind: 'step' })]);

  it('if something is left to do and nothing has planned the request', () => {
    expect(holds('needs-scoping', { tasks })).toBe(true);
    expect(holds('needs-scoping', { tasks, requestPlan: null })).toBe(true);
    expect(holds('needs-scoping', { tasks, requestPlan: { parts: [] } })).toBe(false);
    expect(holds('needs-scoping', { tasks: listed([taskOf('T-001', { kind: 'step', status: 'completed' })]) })).toBe(
      false,
    );
  });

  it('not behind the reviews of a full team, which come to SCOPING by themselves', () => {
    expect(holds('needs-scoping', { tasks, escalated: true })).toBe(false);
    expect([holds('is-small-team', {}), holds('is-small-team', { escalated: true })]).toEqual([true, false]);
  });
});

describe('what a small team has done', () => {
  const done = { tasks: listed([taskOf('T-001', { kind: 'step', status: 'completed' })]) };

  it('is proven in EXECUTING, and accepted by nobody else unless it escalated', () => {
    expect(holds('more-work-remains', done)).toBe(true);
    expect(holds('work-awaits-acceptance', done)).toBe(false);
    expect(holds('small-team-has-done-something', done)).toBe(true);
    const large = { ...done, escalated: true, isReviewed: true };
    expect(holds('more-work-remains', large)).toBe(false);
    expect(holds('work-awaits-acceptance', large)).toBe(true);
    expect(holds('small-team-has-done-something', large)).toBe(false);
  });

  it('is done once it was proven', () => {
    const proven = { ...done, isAccepted: true };
    expect(['more-work-remains', 'work-awaits-acceptance', 'small-team-has-done-something'].map((name) => holds(name, proven))).toEqual([false, false, false]); // prettier-ignore
  });

  it('has reviews before it only where it escalated and nobody has reviewed yet', () => {
    expect(holds('reviews-remain', { escalated: true })).toBe(true);
    expect(holds('reviews-remain', { escalated: true, isReviewed: true })).toBe(false);
    expect(holds('reviews-remain', { team: {} })).toBe(false);
  });
});
