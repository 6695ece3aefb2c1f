import { describe, expect, it } from 'vitest';
import { attemptOf, Visit } from './coding.fixture.js';
import { surroundingsOf } from './execute-input.js';
import { type HealInput, healPrompt, redoPrompt } from './heal.prompt.js';

const render = (more: Partial<HealInput>, prompt = healPrompt): string =>
  prompt.render({
    task: 'Add the toggle',
    request: '',
    check: '',
    said: [],
    command: 'npm test',
    output: 'light becomes purple',
    newFailures: ['light becomes dark'],
    attempts: [attemptOf(1, { diff: '+purple' })],
    pattern: null,
    hints: '',
    diff: '',
    branchDiff: '',
    surroundings: surroundingsOf(new Visit({}).activity),
    ...more,
  });

describe('the prompt of a heal attempt', () => {
  it('shows the problem first, then the task and its change', () => {
    const text = render({ diff: '+toggle', branchDiff: '+everything' });
    expect(text).toMatch(/^# The problem\n[^]*npm test[^]*light becomes purple[^]*must stay done[^]*\+toggle/);
    expect(text).not.toContain('+everything');
    expect(text).toMatch(/The changes of these attempts are no longer in the files\.[^]*\+purple/);
  });

  it('shows the change of the branch if the task has changed nothing', () => {
    expect(render({ branchDiff: '+everything' })).toMatch(/must stay done[^]*\+everything/);
  });

  it('gives one instruction after a rollback: the task again', () => {
    const text = render({}, redoPrompt);
    expect(text).toMatch(/^# Do the task again\n[^]*Add the toggle[^]*# What failed before[^]*light becomes purple/);
    expect(text).not.toMatch(/# The problem|must stay done/);
    expect(redoPrompt.system).not.toMatch(/smallest change|must stay done/);
    // The text of a later task may begin with the whole request, most of which is done.
    for (const words of [text, redoPrompt.system]) {
      expect(words).toContain('What earlier tasks committed is still in the files: keep it. Do this task again');
      expect(words).not.toMatch(/Do the whole task again|as they were before/);
    }
  });

  it('shows the newest attempt first', () => {
    const text = render({ attempts: [attemptOf(1, { tried: 'the old way' }), attemptOf(2, { tried: 'the new way' })] });
    expect(text).toMatch(/the new way[^]*the old way/);
  });
});
