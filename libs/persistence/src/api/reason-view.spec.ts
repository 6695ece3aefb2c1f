import { expect, it } from 'vitest';
import { reasonView } from './reason-view.js';

it('says why a person is asked wherever the question is open, under a pause too', () => {
  const said = (status: string) => reasonView({ status }, { why: 'Approving sets the cap to 0.50 USD.' });
  expect(['waiting', 'blocked', 'paused'].map(said)).toEqual(
    Array.from({ length: 3 }, () => 'Approving sets the cap to 0.50 USD.'),
  );
  expect(['running', 'completed', 'aborted', 'failed'].map(said)).toEqual([null, null, null, null]);
  expect(reasonView({ status: 'waiting' }, {})).toBeNull();
});
