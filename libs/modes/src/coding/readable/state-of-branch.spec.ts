import { describe, expect, it } from 'vitest';
import { fakeParts, taskOf, Visit } from '../coding.fixture.js';
import { refreshPages } from './write-pages.js';

const tasks = [taskOf('T-001', { commit: 'of the task', status: 'completed' })];

/** state.json, as far as it says what is on the branch. */
async function madeWith(context: object, made?: () => Promise<never>): Promise<readonly unknown[]> {
  const { parts, pages } = fakeParts();
  if (made) Object.assign(parts.worktrees, { made });
  await refreshPages(parts, new Visit({ tasks, baseCommit: 'base', ...context }).activity);
  const state = JSON.parse(pages.get('state.json') ?? '') as Record<string, unknown>;
  expect(pages.get('checkpoints/latest.json')).toBe(pages.get('state.json'));
  return [state['git_commits'], state['files_modified']];
}

describe('what state.json says of the branch', () => {
  it('ends at the last commit that is on it, whatever an agent has in the works', async () => {
    expect(await madeWith({ commit: 'milestone' })).toEqual([['base..milestone'], ['a.mjs']]);
    const good = { commit: 'good', checkpoint: 3 };
    expect(await madeWith({ commit: 'snapshot', good })).toEqual([['base..good'], ['a.mjs']]);
    expect(await madeWith({ commit: 'last', good, recorded: 'last' })).toEqual([['base..last'], ['a.mjs']]);
  });

  it('is what the tasks say where git cannot be asked', async () => {
    const gone = () => Promise.reject(new Error('no such repository'));
    expect(await madeWith({ commit: 'milestone' }, gone)).toEqual([['of the task'], []]);
    expect(await madeWith({})).toEqual([['of the task'], []]);
  });
});
