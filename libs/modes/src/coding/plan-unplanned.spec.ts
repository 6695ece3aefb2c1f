import { expect, it } from 'vitest';
import { tasksOf } from './coding-context.js';
import { eventOf, findingWith, taskOf, Visit } from './coding.fixture.js';
import { contextOf } from './context.js';
import { planUnplanned } from './plan-unplanned.js';
import { failingRun, planWith } from './proof/proof.fixture.js';

const review = taskOf('T-001', { kind: 'review', status: 'completed' });
const plan = (context: object) => planUnplanned(new Visit({ tasks: [review], findings: [], ...context }).activity);

it('makes the request one step if a project was reviewed and never planned', () => {
  const report = plan({ findings: [findingWith('F-001')], baseline: failingRun('old') });
  if (!report) throw new Error('it is not planned');
  const { type, patch } = eventOf(report);
  expect(type).toBe('decision:heeded');
  expect(tasksOf({ context: patch }).map(({ kind }) => kind)).toEqual(['review', 'finding', 'request']);
  expect(contextOf({ context: patch }).requestPlan?.steps).toHaveLength(1);
});

it('leaves a plan, tasks of an older release, and a project without reviews as they are', () => {
  expect(plan({ requestPlan: planWith() })).toBeNull();
  expect(plan({ tasks: [review, taskOf('T-002', { status: 'completed' })] })).toBeNull();
  expect(plan({ findings: undefined })).toBeNull();
});
