import { describe, expect, it } from 'vitest';
import { buildPlan, type PlanGiven } from './build-plan.js';
import type { PlannerOutput } from './plan.prompt.js';

const step = (title: string, more: Partial<PlannerOutput['steps'][number]> = {}): PlannerOutput['steps'][number] => ({
  ...{ title, detail: '', parts: [1], findings: [], check: '' },
  ...more,
});
const answer = (more: Partial<PlannerOutput>): PlannerOutput => ({
  ...{ class: 'behaviour', parts: [], steps: [], findings: [], failuresInScope: [] },
  ...more,
});
const build = (more: Partial<PlanGiven>) =>
  buildPlan({
    ...{ request: 'Add dark mode', planned: answer({}), findings: [], failures: [], approvedSteps: [] },
    ...{ asides: 'P1', goal: null, tasks: [] },
    ...more,
  });

describe('a failing test that the planner links to a part', () => {
  it('covers it only if the part or its step names what the test is about', () => {
    const name = 'test/users.test.mjs: sorts by age';
    const failures = [{ name, output: 'at src/user-list.mjs:3:1' }];
    const linked = (title: string, more: Partial<PlanGiven> = {}, detail = '') => {
      const parts = [{ title, interface: '', failingTests: [name] }];
      const planned = answer({ parts, steps: [step('Do it', { detail })] });
      return build({ failures, planned, ...more }).plan;
    };
    expect(linked('There is a dark mode').parts[0]?.failingTests).toEqual([]);
    expect(linked('There is a dark mode').scope.map((one) => one.name)).toEqual([name]);
    expect(linked('They are sorted by age').parts[0]?.failingTests).toEqual([name]);
    expect(linked('It works', {}, 'Change src/user-list.mjs').parts[0]?.failingTests).toEqual([name]);
    expect(linked('It works', { request: 'Sort them by age' }).parts[0]?.failingTests).toEqual([name]);
    expect(linked('It works', { request: 'Fix the failing tests' }).parts[0]?.failingTests).toEqual([name]);
  });

  it.each([
    ['the request speaks of failing tests', { request: 'Fix the failing tests and add --json' }],
    ['all tests must pass', { request: 'Add --json', goal: 'green' as const }],
  ])('does not cover a part about something else, though %s', (_title, given) => {
    const name = 'sorts by age';
    const part = (title: string) => ({ title, interface: '', failingTests: [name] });
    const linkedTo = (first: string, steps: PlannerOutput['steps']) =>
      build({
        failures: [{ name, output: '' }],
        planned: answer({ parts: [part(first), part('--json prints an array')], steps }),
        ...given,
      }).plan.parts.map(({ failingTests }) => failingTests);
    const whole = [step('Fix the failing tests and add --json', { parts: [1, 2] })];
    expect(linkedTo('The failing tests pass', whole)).toEqual([[name], []]);
    expect(linkedTo('Users are sorted', whole)).toEqual([[name], []]);
    expect(linkedTo('It works', [step('Fix the failing tests'), step('Add it', { parts: [2] })])).toEqual([[name], []]);
    expect(linkedTo('It works', whole)).toEqual([[], []]);
  });

  it('covers any part of a request that asks for nothing but failing tests', () => {
    const names = ['rounds', 'sorts'];
    const parts = names.map((name) => ({ title: 'It works', interface: '', failingTests: [name] }));
    const failures = names.map((name) => ({ name, output: '' }));
    const { plan } = build({ request: 'Please fix the failing tests.', failures, planned: answer({ parts }) });
    expect(plan.parts.map(({ failingTests }) => failingTests)).toEqual([['rounds'], ['sorts']]);
  });
});
