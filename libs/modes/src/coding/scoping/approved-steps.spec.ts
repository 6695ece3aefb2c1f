import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import { listed } from '../coding-context.js';
import { findingWith, taskOf, Visit } from '../coding.fixture.js';
import { approvedStepsOf, arrangeAroundSteps, hasSteps } from './approved-steps.js';

const steps = [
  taskOf('T-001', { kind: 'step', status: 'completed' }),
  taskOf('T-002', { kind: 'step', status: 'pending' }),
  taskOf('T-003', { kind: 'step', status: 'in_progress' }),
];
const namesOf = (tasks: readonly ProjectTask[]): string[] => tasks.map(({ id, finding }) => finding ?? id);
const work = { ...new Visit({}).activity.project, machine: 'qralph-work' };

describe('the steps of work mode after it escalated', () => {
  it('go on first with the step that had begun, then what comes before, the rest, and what comes after', () => {
    const around = { before: [findingWith('F-001')], after: [findingWith('F-002')], asides: [findingWith('F-003')] };
    expect(namesOf(arrangeAroundSteps(steps, around))).toEqual(['T-001', 'T-003', 'F-001', 'T-002', 'F-002', 'F-003']);
  });

  it('are approved steps, each with its task and the check of the plan', () => {
    const plan = { steps: [{ task: 'T-002', title: 'Title of T-002', check: 'it is there' }] };
    const known = { tasks: listed(steps), plan };
    expect(approvedStepsOf({ project: work, context: known })).toEqual([
      { title: 'Title of T-001', detail: 'Detail of T-001', check: '', task: 'T-001' },
      { title: 'Title of T-002', detail: 'Detail of T-002', check: 'it is there', task: 'T-002' },
      { title: 'Title of T-003', detail: 'Detail of T-003', check: '', task: 'T-003' },
    ]);
  });

  it('are only those of work mode that nobody skipped', () => {
    const project = work;
    expect(hasSteps({ project, context: { tasks: listed(steps) } })).toBe(true);
    expect(
      hasSteps({ project, context: { tasks: listed([taskOf('T-001', { kind: 'step', status: 'skipped' })]) } }),
    ).toBe(false);
    expect(hasSteps(new Visit({ tasks: steps }).activity)).toBe(false);
  });
});

describe('the approved steps of classic mode', () => {
  const context = { plan: { steps: [{ title: 'A module', check: 'it is there' }] } };
  const project = { ...new Visit({}).activity.project, machine: 'qralph-classic' };

  it('are those of its plan', () => {
    expect(approvedStepsOf({ project, context })).toEqual([
      { title: 'A module', detail: '', check: 'it is there', task: null },
    ]);
  });

  it('are none without a plan, or in another mode', () => {
    expect(approvedStepsOf({ project, context: {} })).toEqual([]);
    expect(approvedStepsOf(new Visit(context).activity)).toEqual([]);
  });
});
