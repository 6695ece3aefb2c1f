import { expect, it } from 'vitest';
import { taskOf, verifiedAs, Visit } from '../coding/coding.fixture.js';
import { findFailingRequest } from './requested-tests.js';

const RED = verifiedAs('failed', { passed: 1, failed: 1 }, 'not ok 1 - rounds');
const task = taskOf('T-002', { kind: 'step', status: 'in_progress' });
const next = taskOf('T-003', { kind: 'step' });

const find = (request: string, context: object = {}) => {
  const visit = new Visit({ verification: RED, tasks: [taskOf('T-001', { status: 'completed' }), task], ...context });
  const { activity } = visit;
  const found = findFailingRequest({ ...activity, project: { ...activity.project, request } }, task);
  return found?.kind === 'failed' ? found.comparison.newFailures : [];
};

it('tests that the request wants fixed still fail after the last step', () => {
  expect(find('Fix the failing tests.')).toEqual(['rounds']);
});

it.each([
  ['they pass', 'Fix the failing tests.', { verification: verifiedAs('passed', { passed: 2 }) }],
  ['they are flaky', 'Fix the failing tests.', { flakyTests: ['rounds'] }],
  ['another step follows', 'Fix the failing tests.', { tasks: [task, next] }],
  ['the request is about something else', 'Write a page about rounding.', {}],
])('nothing is missing if %s', (_title, request, context) => {
  expect(find(request, context)).toEqual([]);
});
