import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import { listed, tasksOf } from '../coding-context.js';
import { findingWith, taskOf, Visit } from '../coding.fixture.js';
import { patchOf } from '../context.js';
import { approvedStepsOf, hasSteps, planAroundSteps } from './approved-steps.js';

const steps = [
  taskOf('T-001', { kind: 'step', status: 'completed' }),
  taskOf('T-002', { kind: 'step', status: 'pending' }),
  taskOf('T-003', { kind: 'step', status: 'in_progress' }),
];
const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api' };
const planned = (context: object): readonly ProjectTask[] =>
  tasksOf({ context: patchOf(planAroundSteps(new Visit({ tasks: steps, ...context }).activity)) });
const namesOf = (tasks: readonly ProjectTask[]): string[] => tasks.map(({ id, finding }) => finding ?? id);

describe('the steps of work mode after it escalated', () => {
  it('go on first with the step that had begun, then urgent findings, the rest, and what comes after', () => {
    const findings = [
      findingWith('F-001', { relation: 'after' }),
      findingWith('F-002', { relation: 'aside' }),
      findingWith('F-003', { relation: 'before', priority: 'P0' }),
      findingWith('F-004', { relation: 'is-request' }),
      findingWith('F-005', { relation: 'before', priority: 'P2' }),
    ];
    expect(namesOf(planned({ findings }))).toEqual([
      ...['T-001', 'T-003', 'F-003', 'F-004', 'T-002', 'F-001', 'F-002'],
    ]);
  });

  it('get at most five asides, and none if the user wants none', () => {
    const findings = Array.from({ length: 9 }, (_, nth) => findingWith(`F-${String(nth)}`, { relation: 'aside' }));
    expect(planned({ findings })).toHaveLength(steps.length + 5);
    expect(planned({ findings, order: { ...order, asides: 'none' } })).toHaveLength(steps.length);
    const worst = findingWith('F-010', { relation: 'aside', priority: 'P0' });
    const only = planned({ findings: [...findings, worst], order: { ...order, asides: 'P0' } });
    expect(namesOf(only.slice(steps.length))).toEqual(['F-010']);
  });

  it('are only those of work mode that nobody skipped', () => {
    const project = { ...new Visit({}).activity.project, machine: 'qralph-work' };
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
    expect(approvedStepsOf({ project, context })).toEqual([{ title: 'A module', detail: '', check: 'it is there' }]);
  });

  it('are none without a plan, or in another mode', () => {
    expect(approvedStepsOf({ project, context: {} })).toEqual([]);
    expect(approvedStepsOf(new Visit(context).activity)).toEqual([]);
  });
});
