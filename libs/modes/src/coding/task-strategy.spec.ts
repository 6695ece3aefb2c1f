import { expect, it } from 'vitest';
import { fakeParts, taskOf, Visit, WORKTREE } from './coding.fixture.js';
import { implementerStrategy } from './task-strategy.js';

const AGAIN = taskOf('T-003', { kind: 'scenario', title: 'S-001 It is dark', status: 'in_progress' });

async function tierOf(...before: readonly ReturnType<typeof taskOf>[]) {
  const { parts, asked } = fakeParts({ agent: () => ({}) });
  const { activity } = new Visit({ tasks: [...before, AGAIN] });
  await implementerStrategy(parts).run(activity, { worktree: WORKTREE, startCommit: 'now' }, AGAIN);
  return asked[0]?.tier;
}

it('gives a scenario that fails in a second round to the next tier', async () => {
  expect(await tierOf()).toBe('medium');
  expect(await tierOf({ ...AGAIN, id: 'T-002', status: 'completed' })).toBe('large');
  expect(await tierOf({ ...AGAIN, id: 'T-002', status: 'completed', title: 'S-002 It is light' })).toBe('medium');
});
