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
    expect(guesses({ request: 'Fix the failing tests.' })).toEqual([
      ['adds', true],
      ['sorts users', true],
    ]);
  });

  it.each(['behaviour', 'document', 'tests-only'] as const)(
    'if it covers no part, though the planner names it: %s',
    (kind) => {
      const planned = answer({ class: kind, failuresInScope: ['adds'] });
      expect(guesses({ planned })).toEqual([['adds', true]]);
      expect(guesses({ planned, goal: 'green' })).toContainEqual(['adds', false]);
      const parts = [{ title: 'It adds', interface: '', failingTests: ['adds'] }];
      expect(guesses({ planned: { ...planned, parts } })).toEqual([['adds', false]]);
    },
  );

  it('if the planner links it to a part that is about something else', () => {
    const parts = [{ title: 'There is a dark mode', interface: '', failingTests: ['sorts users'] }];
    expect(guesses({ planned: answer({ parts }) })).toEqual([['sorts users', true]]);
  });
});
