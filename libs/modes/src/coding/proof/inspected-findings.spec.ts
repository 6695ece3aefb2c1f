import { describe, expect, it } from 'vitest';
import { findingWith, Visit } from '../coding.fixture.js';
import { findingsFixedBySteps, settledBy, unreadFixes } from './inspected-findings.js';
import type { Inspection } from './proof-record.js';
import { planWith } from './proof.fixture.js';

const FIXED = { kind: 'fixed', commit: 'c', reason: null } as const;
const DEFERRED = { kind: 'deferred', commit: null, reason: 'it leaks' } as const;
const OPEN = { kind: 'open', commit: null, reason: null } as const;
const saying = (...findings: Inspection['findings']): Inspection => ({ commit: 'c', parts: [], findings, tests: [] });

describe('findings that a step claims to have fixed', () => {
  const [step] = planWith().steps;
  const plan = planWith({ steps: [{ ...step!, findings: ['F-001'] }] });
  const inspected = (more: Parameters<typeof findingWith>[1], id = 'F-001') =>
    findingsFixedBySteps(new Visit({ findings: [findingWith(id, more)] }).activity, plan, { isRead: false }).length ===
    1;

  it.each([
    ['a step of the plan covers it', { outcome: FIXED }, 'F-001', true],
    ['an agent called it not fixed before', { outcome: DEFERRED }, 'F-001', true],
    ['it is the request, and no step names it', { outcome: FIXED, relation: 'is-request' as const }, 'F-002', true],
    ['no step covers it', { outcome: FIXED }, 'F-002', false],
    ['a person put it off', { outcome: DEFERRED, relation: 'is-request' as const }, 'F-002', false],
    ['it is not urgent', { outcome: FIXED, priority: 'P2' as const }, 'F-001', false],
    ['it is open', { outcome: OPEN }, 'F-001', false],
  ])('are chosen for a reader, or not, if %s', (_title, more, id, isInspected) => {
    expect(inspected(more, id)).toBe(isInspected);
  });

  it('are chosen if they are not urgent, and a reader is asked anyway', () => {
    const findings = [findingWith('F-001', { outcome: FIXED, priority: 'P2' })];
    const { activity } = new Visit({ findings });
    expect(findingsFixedBySteps(activity, plan, { isRead: true })).toEqual(['F-001']);
    const urgent = findingWith('F-002', { outcome: FIXED, relation: 'is-request' });
    const both = new Visit({ findings: [...findings, urgent] }).activity;
    expect(findingsFixedBySteps(both, plan, { isRead: false })).toEqual(['F-001', 'F-002']);
  });
});

it('fixes without an answer are unread, and those with one no longer are', () => {
  const scene = { context: { unreviewedFixes: ['F-001', 'F-009'] } };
  const inspection = saying({ id: 'F-001', isFixed: true, why: 'w' });
  expect(unreadFixes(scene, ['F-001', 'F-002'], inspection)).toEqual(['F-009', 'F-002']);
  expect(unreadFixes({ context: {} }, ['F-001'], null)).toEqual(['F-001']);
});

describe('the outcome of a finding at the end', () => {
  const outcome = (before: typeof FIXED | typeof DEFERRED, ...findings: Inspection['findings']) =>
    settledBy([findingWith('F-001', { outcome: before })], saying(...findings), 'end')[0]?.outcome;

  it('is not fixed if an independent agent says so', () => {
    expect(outcome(FIXED, { id: 'F-001', isFixed: false, why: 'it leaks' })).toEqual({
      kind: 'deferred',
      commit: null,
      reason: 'An independent agent says that it is not fixed: it leaks',
    });
  });

  it('is fixed again if it says so later', () => {
    expect(outcome(DEFERRED, { id: 'F-001', isFixed: true, why: 'w' })).toEqual({ ...FIXED, commit: 'end' });
  });

  it('stays as it is without an answer', () => {
    expect(outcome(FIXED)).toEqual(FIXED);
    expect(outcome(FIXED, { id: 'F-001', isFixed: true, why: 'w' })).toEqual(FIXED);
  });
});
