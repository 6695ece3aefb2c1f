import { expect, it } from 'vitest';
import { fakeParts, taskOf, Visit, WORKTREE } from './coding.fixture.js';
import { executeInput, surroundingsOf } from './execute-input.js';
import { executePrompt } from './execute.prompt.js';
import { renderSurroundings } from './surroundings.js';
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

it('shows the whole map and all conventions, which are bounded where they are read', () => {
  const repositoryMap = `PROJECT\n${'m'.repeat(5_900)} SOURCE FILES ${'m'.repeat(5_900)}`;
  const conventions = `${'c'.repeat(3_900)} in the middle ${'c'.repeat(3_900)}`;
  const shown = renderSurroundings(surroundingsOf(new Visit({ repositoryMap, conventions }).activity));
  expect(shown).toContain(repositoryMap);
  expect(shown).toContain(conventions);
});

it('leaves out the oldest steps if there is no room for all', () => {
  const tasks = Array.from({ length: 30 }, (_, nth) =>
    taskOf(`T-${String(nth + 101)}`, { status: 'completed', commit: 'c', note: 'x'.repeat(400) }),
  );
  const shown = renderSurroundings(surroundingsOf(new Visit({ tasks }).activity));
  const done = /What earlier steps did[^]*?more/.exec(shown)?.[0];
  expect(done).toMatch(/T-130[^]*T-129/);
  expect(done).not.toContain('T-101');
});
