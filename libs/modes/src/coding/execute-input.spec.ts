import { expect, it } from 'vitest';
import { fakeParts, taskOf, Visit, WORKTREE } from './coding.fixture.js';
import { executeInput } from './execute-input.js';
import { executePrompt } from './execute.prompt.js';
import { planWith } from './proof/proof.fixture.js';

const inputFrom = (startCommit: string) => {
  const { parts } = fakeParts({ diff: '+of an earlier step' });
  const part = { title: 'The theme can be toggled', interface: 'toggle in theme.mjs', failingTests: [] };
  const visit = new Visit({ requestPlan: planWith({ parts: [part] }) });
  return executeInput(parts, visit.activity, { worktree: WORKTREE, startCommit }, taskOf('T-001'));
};

it('tells the implementer the interface of each part, which the checks rely on', async () => {
  const prompt = executePrompt.render(await inputFrom('base'));
  expect(prompt).toContain('1. The theme can be toggled\nInterface: toggle in theme.mjs');
});

it('shows what the branch has changed so far, unless the task is the first one', async () => {
  expect(executePrompt.render(await inputFrom('good'))).toContain('+of an earlier step');
  expect((await inputFrom('base')).diff).toBe('');
});
