import { describe, expect, it } from 'vitest';
import { buildPlan, type PlanGiven } from './build-plan.js';
import type { PlannerOutput } from './plan.prompt.js';

const answer = (more: Partial<PlannerOutput>): PlannerOutput => ({
  class: 'behaviour',
  parts: [{ title: 'There is a dark mode', interface: 'theme()', failingTests: [] }],
  steps: [{ title: 'Add dark mode', detail: 'In theme.mjs', parts: [1], findings: [], check: 'it is dark' }],
  findings: [],
  failuresInScope: [],
  ...more,
});
const build = (more: Partial<PlanGiven>) =>
  buildPlan({
    ...{ request: 'Add dark mode', planned: answer({}), findings: [], failures: [], approvedSteps: [] },
    ...{ asides: 'P1', goal: null, tasks: [] },
    ...more,
  });

describe('a failure in scope is a guess', () => {
  const failures = ['adds', 'adds', 'sorts users'].map((name) => ({ name, output: '' }));
  const guesses = (more: Partial<PlanGiven>) =>
    build({ failures, ...more }).plan.scope.map(({ name, isGuess = false }) => [name, isGuess]);

  it('unless all tests must pass, though two of them share a name', () => {
    expect(guesses({ goal: 'green' })).toEqual([
      ['adds', false],
      ['sorts users', false],
    ]);
  });

  it('if only words of the request put it there, also words about failing tests', () => {
    const planned = answer({ failuresInScope: ['adds'] });
    expect(guesses({ request: 'Fix the failing tests.', planned })).toEqual([
      ['adds', false],
      ['sorts users', true],
    ]);
  });

  it('for a document or new tests, though the planner names it', () => {
    const planned = answer({ class: 'document', failuresInScope: ['adds'] });
    expect(guesses({ planned })).toEqual([['adds', true]]);
    expect(guesses({ planned: { ...planned, class: 'tests-only' } })).toEqual([['adds', true]]);
    const parts = [{ title: 'It adds', interface: '', failingTests: ['adds'] }];
    expect(guesses({ planned: { ...planned, parts } })).toEqual([['adds', false]]);
  });
});
