import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#kernel';
import { listed } from './coding-context.js';
import { taskOf } from './coding.fixture.js';
import { codingGuards } from './guards.js';

const holds = (name: string, context: Readonly<Record<string, Json>>): boolean | undefined =>
  codingGuards[name]?.(context, {}, {});
const tasks = (...given: readonly Parameters<typeof taskOf>[1][]): JsonObject => ({
  tasks: listed(given.map((more, nth) => taskOf(`T-${String(nth)}`, more))),
});

describe('guards of coding and classic mode', () => {
  it('know the planning variant', () => {
    expect(holds('is-planning-variant', { order: { variant: 'planning' } })).toBe(true);
    expect(holds('is-planning-variant', { order: { variant: null } })).toBe(false);
  });

  it('take reviews to remain from the team on until there are findings, even none', () => {
    expect(holds('reviews-remain', {})).toBe(false);
    expect(holds('reviews-remain', { team: {} })).toBe(true);
    expect(holds('reviews-remain', { team: {}, findings: [] })).toBe(false);
  });

  it('take no reviews to remain if a person put off a set-up that fails: the same would block again', () => {
    const block = (cause: string): JsonObject => ({ cause, message: 'm' });
    expect(holds('reviews-remain', { team: {}, block: block('setup') })).toBe(false);
    expect(holds('reviews-remain', { team: {}, block: block('reviewer') })).toBe(true);
  });

  it('take what is pending or begun for work that remains, reviews aside', () => {
    expect(holds('more-work-remains', {})).toBe(false);
    expect(holds('more-work-remains', tasks({}))).toBe(true);
    expect(holds('more-work-remains', tasks({ status: 'in_progress' }))).toBe(true);
    expect(holds('more-work-remains', { ...tasks({ status: 'completed' }), needsProof: true })).toBe(true);
    expect(holds('more-work-remains', tasks({ kind: 'review' }, { status: 'deferred' }, { status: 'completed' }))).toBe(
      false,
    );
  });

  it('await acceptance where something was done and not accepted yet', () => {
    const done = tasks({ status: 'completed' });
    expect(holds('work-awaits-acceptance', done)).toBe(true);
    expect(holds('work-awaits-acceptance', { ...done, isAccepted: true })).toBe(false);
    expect(
      holds('work-awaits-acceptance', tasks({ kind: 'review', status: 'completed' }, { status: 'deferred' })),
    ).toBe(false);
    expect([holds('is-complete', done), holds('is-complete', { isAccepted: true })]).toEqual([false, true]);
  });

  it('ask where there are questions, and for the plan unless a person switched that off', () => {
    expect(holds('nothing-to-clarify', {})).toBe(true);
    expect(holds('nothing-to-clarify', { questions: [] })).toBe(true);
    expect(holds('nothing-to-clarify', { questions: [{}] })).toBe(false);
    expect([holds('plan-gate-is-off', {}), holds('plan-gate-is-off', { isPlanGateOff: true })]).toEqual([false, true]);
  });

  it('never take one project for both unfinished and complete', () => {
    const status = fc.constantFrom('pending', 'in_progress', 'completed', 'skipped', 'deferred' as const);
    const kind = fc.constantFrom('review', 'finding', 'request', 'scenario' as const);
    fc.assert(
      fc.property(fc.array(fc.record({ status, kind })), fc.boolean(), (given, isAccepted) => {
        const context = { ...tasks(...given), isAccepted };
        return !(holds('work-awaits-acceptance', context) === true && holds('is-complete', context) === true);
      }),
    );
  });
});
