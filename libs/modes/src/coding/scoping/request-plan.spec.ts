import { describe, expect, it } from 'vitest';
import { planWith } from '../proof/proof.fixture.js';
import { failuresSettledBy, partsCompletedBy, type PlanStep, type RequestPlan } from './request-plan.js';

const step = (task: string, ...parts: number[]): PlanStep => ({ task, title: task, parts, findings: [], check: '' });
const part = (...failingTests: string[]): RequestPlan['parts'][number] => ({ title: 'x', interface: '', failingTests });
const plan = planWith({
  parts: [part('rounds'), part(), part('sorts')],
  steps: [step('T-001', 1), step('T-002', 1, 2), step('T-003')],
  scope: ['rounds', 'sorts', 'other'].map((name) => ({ name, reason: 'r' })),
});

describe('a part of the request', () => {
  it('is complete after the last step that works on it', () => {
    expect(['T-001', 'T-002'].map((task) => partsCompletedBy(plan, task))).toEqual([[], [1, 2]]);
  });

  it('is complete after the last step of all if no step names it', () => {
    expect(partsCompletedBy(plan, 'T-003')).toEqual([3]);
  });

  it('is complete with no task outside the plan', () => {
    expect(partsCompletedBy(plan, 'T-009')).toEqual([]);
  });
});

describe('a failure in scope', () => {
  it('must pass after the step that completes its part', () => {
    expect(failuresSettledBy(plan, 'T-001')).toEqual([]);
    expect(failuresSettledBy(plan, 'T-002')).toEqual(['rounds']);
  });

  it('must pass after the last step if no part names it', () => {
    expect(failuresSettledBy(plan, 'T-003')).toEqual(['sorts', 'other']);
  });
});
