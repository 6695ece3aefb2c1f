import { describe, expect, it } from 'vitest';
import type { ActivityContext } from '#engine';
import { taskOf } from '../coding/coding.fixture.js';
import { planWith } from '../coding/proof/proof.fixture.js';
import { errandPrompt, inputOf } from './prompt.js';

const ORDER = { turns: 60, minutes: 60 };

const START = { isRolledBack: false, diff: '', lostDiff: '' };

const promptWith = (context: object, start = START): string => {
  const project = { request: 'Add dark mode toggle' };
  const scene = { project, context: { order: ORDER, ...context } };
  return errandPrompt.render(inputOf(scene as unknown as ActivityContext, start));
};
const command = { command: 'npm test', exitCode: 1, endedBy: 'itself', output: 'not ok 1 - greets by name' };

describe('what an agent is told', () => {
  it('is the request first, then what is known', () => {
    const prompt = promptWith({});
    expect(prompt.startsWith('# Your task\n\nThe request (material):\n```\nAdd dark mode toggle\n```')).toBe(true);
    expect(prompt).toContain('You have at most 60 turns and 60 minutes. A turn is one answer with all its tool calls.');
    expect(prompt).not.toContain('last attempt');
  });

  const planned = (more: object = {}) => ({
    requestPlan: planWith({
      parts: [{ title: 'There is a toggle', interface: 'toggle()', failingTests: [] }],
      steps: [{ task: 'T-001', title: 'Write the toggle', parts: [1], findings: [], check: 'the page turns dark' }],
      ...more,
    }),
    tasks: [taskOf('T-001', { kind: 'request', title: 'Write the toggle', detail: 'In theme.mjs; see setTheme.' })],
  });

  it('has what the planner wrote beside the request: parts, steps with details and checks', () => {
    const heal = { verification: { verdict: 'passed', commands: [] }, doubt: 'the check fails' };
    for (const prompt of [promptWith(planned()), promptWith({ ...planned(), ...heal })]) {
      expect(prompt).toMatch(
        /^# Your task\n\n[^]*dark mode toggle\n```\n\nParts[^]*1\. There is a toggle\nInterface: toggle\(\)\n```\n\nThe plan/,
      );
      expect(prompt).toContain(
        '1. Write the toggle\n\nIn theme.mjs; see setTheme.\n\nDone if: the page turns dark\n```',
      );
      expect(prompt.split('There is a toggle')).toHaveLength(2);
    }
  });

  it('has no plan if that would only repeat the request', () => {
    expect(promptWith(planned({ fallback: 'The planner gave no plan.' }))).not.toContain('The plan for it');
  });

  it('has the beginning of a very long plan', () => {
    const tasks = [taskOf('T-001', { kind: 'request', detail: 'x'.repeat(50_000) })];
    expect(promptWith({ ...planned(), tasks }).length).toBeLessThan(promptWith(planned()).length + 4_100);
  });

  it('is what failed, after an attempt whose tests failed', () => {
    const prompt = promptWith({ verification: { verdict: 'failed', commands: [command] }, doubt: 'the tests fail' });
    expect(prompt).toContain('\n```\nnpm test: exit code 1\nnot ok 1 - greets by name\n```');
    expect(prompt).toMatch(/# Why the last attempt is not proven\n[^#]*the tests fail/);
  });

  it('is which limit a command went past, also where it exited well', () => {
    const commands = [{ ...command, exitCode: 0, endedBy: 'disk' }];
    expect(promptWith({ verification: { verdict: 'failed', commands } })).toContain('npm test: ended by disk');
  });

  it('is why nothing proves its work, and what a person said of it, when it is sent back', () => {
    const verification = { verdict: 'passed', commands: [] };
    const decision = { feedback: 'Put the test back.' };
    const prompt = promptWith({ verification, doubt: 'tests were removed or skipped: a.test.mjs', decision });
    expect(prompt).toMatch(/# Why the last attempt is not proven\n[^#]*tests were removed or skipped: a\.test\.mjs/);
    expect(prompt).toMatch(/# What a person said about your last attempt\n[^#]*Put the test back\./);
  });

  it('says which change is in the files, and shows what the last attempt changed', () => {
    const context = { verification: { verdict: 'passed', commands: [] }, doubt: 'the check fails' };
    expect(promptWith(context)).toContain('Its change is in the files.');
    const healed = promptWith(context, { isRolledBack: false, diff: '+first', lostDiff: '+second' });
    expect(healed).toMatch(/The files have the change of the first attempt\.[^]*\+second[^]*\+first/);
    expect(healed).not.toContain('Its change is in the files.');
    const redone = promptWith(context, { isRolledBack: true, diff: '', lostDiff: '+second' });
    expect(redone).toMatch(/as they were before the first attempt[^]*\+second/);
    expect(redone).not.toContain('The request must stay done');
  });

  it('is that files are there already, after an attempt that was cut short', () => {
    expect(promptWith({ isCutShort: true })).toContain('Your last attempt was cut short.');
  });
});
