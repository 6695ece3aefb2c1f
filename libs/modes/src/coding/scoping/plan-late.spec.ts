import { expect, it } from 'vitest';
import { eventOf, findingWith, taskOf, Visit } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { planLate } from './plan-late.js';

const REVIEWED = { findings: [findingWith('F-001', { relation: 'before' })], isReviewed: true };

it('plans a reviewed project that has no tasks: findings before, then the request', () => {
  const report = planLate(new Visit(REVIEWED).activity);
  if (!report) throw new Error('it planned nothing');
  const { type, patch } = eventOf(report);
  expect(type).toBe('decision:heeded');
  expect(contextOf({ context: patch }).tasks?.map(({ kind }) => kind)).toEqual(['finding', 'request']);
  expect(contextOf({ context: patch }).requestPlan?.steps).toHaveLength(1);
});

it('leaves a project alone that has tasks, or was not reviewed', () => {
  expect(planLate(new Visit({ ...REVIEWED, tasks: [taskOf('T-001')] }).activity)).toBeNull();
  expect(planLate(new Visit({ findings: [] }).activity)).toBeNull();
  expect(planLate(new Visit({}).activity)).toBeNull();
});
