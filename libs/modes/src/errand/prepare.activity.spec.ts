import { expect, it } from 'vitest';
import { eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { surroundingsOf } from '../coding/execute-input.js';
import { prepare } from './prepare.activity.js';

const skillsFor = async (request: string): Promise<readonly string[]> => {
  const { activity } = new Visit({});
  const { patch } = eventOf(
    await prepare(fakeParts().parts)({ ...activity, project: { ...activity.project, request } }),
  );
  return surroundingsOf({ context: patch }).skills.map(({ name }) => name);
};

it('gives the agent the skills that fit the request', async () => {
  expect(await skillsFor('Write a tutorial about the new API')).toContain('writing');
  expect(await skillsFor('Fix the rounding in the cart')).toEqual([]);
});
