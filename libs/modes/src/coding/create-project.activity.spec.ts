import { expect, it } from 'vitest';
import { eventOf, fakeParts, Visit, WORKTREE } from './coding.fixture.js';
import { createProject } from './create-project.activity.js';

it('tells at once what is odd about the repository: its user may want to commit first', async () => {
  const notes = ['Your checkout has changes that are not committed; the project works without them.'];
  const { parts } = fakeParts();
  const told = async (worktree: object): Promise<unknown> => {
    const workshop = { ...parts.workshop, enter: () => Promise.resolve(worktree) } as typeof parts.workshop;
    return eventOf(await createProject({ ...parts, workshop })(new Visit({}, { state: 'INIT' }).activity));
  };
  const expected = { type: 'project:created', data: { sandbox: 'none' } };
  expect(await told(WORKTREE)).toMatchObject(expected);
  expect(await told({ ...WORKTREE, notes })).toMatchObject({ ...expected, data: { notes }, patch: { notes } });
});
