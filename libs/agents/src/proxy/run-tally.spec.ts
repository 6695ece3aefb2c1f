import { expect, it } from 'vitest';
import { ModelError } from '#models';
import { RunTally } from './run-tally.js';

const failure = (remedy: 'retry' | 'wait' | 'give-up') => ({ status: 1, code: 'MODEL_X', remedy, words: 'words' });
const wait = { resetAt: 5, words: 'words' };
const busy = new ModelError('MODEL_BUDGET_BUSY', 'words', {
  remedy: 'wait',
  provider: 'anthropic',
  words: '',
  resetAt: 5,
  billed: 'nothing',
});

it('a rate limit holds through what may be tried again, and ends with a success or a refusal for good', () => {
  const tally = new RunTally();
  tally.failed(failure('wait'), 5);
  tally.failed(failure('retry'), null);
  expect(tally.read()).toMatchObject({ rateLimit: wait, lastError: failure('retry') });
  tally.failed(failure('give-up'), null);
  expect(tally.read()).toMatchObject({ rateLimit: null, lastError: failure('give-up') });
  tally.failed(failure('wait'), 5);
  tally.answered();
  expect(tally.read()).toMatchObject({ rateLimit: null, lastError: null });
});

it('a budget that others hold is remembered until a call was sent again', () => {
  for (const send of [
    (tally: RunTally) => tally.answered(),
    (tally: RunTally) => tally.failed(failure('retry'), null),
  ]) {
    const tally = new RunTally();
    tally.begin(10);
    tally.notSent(busy);
    expect(tally.read()).toMatchObject({ calls: 0, budgetBusy: wait, rateLimit: null });
    send(tally);
    expect(tally.read().budgetBusy).toBeNull();
  }
});
