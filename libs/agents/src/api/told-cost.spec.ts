import { expect, it } from 'vitest';
import { closesWorktrees, played } from './played.fixture.js';

closesWorktrees();

it.each([
  [1_230_000_000n, '1.23'],
  [0n, '0.00'],
  [null, null],
])('a call of %s nano-dollars is told with its cost in dollars, as the API has money: %j', async (nano, costUsd) => {
  const { told } = await played(() => ({ text: 'done', costNanoUsd: nano }));
  expect(told('model.called').map(({ data }) => data['costUsd'])).toEqual([costUsd]);
  expect(told('model.called')[0]?.data).not.toHaveProperty('costNanoUsd');
});
