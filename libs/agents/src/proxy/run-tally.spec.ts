import { expect, it } from 'vitest';
import { ModelError } from '#models';
import { HandClock } from '../api/world.fixture.js';
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

it('failures are counted from the last answer on, and for how long they went on', async () => {
  const clock = new HandClock();
  const tally = new RunTally(clock);
  const fail = async (): Promise<void> => {
    await clock.pass(10);
    tally.begin(100);
    tally.failed(failure('retry'), null);
    tally.end();
  };
  for (let nth = 1; nth <= 3; nth += 1) await fail();
  await clock.pass(1_000);
  expect(tally.read().failing).toEqual({ inRow: 3, forMs: 20 });
  tally.answered();
  expect(tally.read().failing).toEqual({ inRow: 0, forMs: 0 });
  await fail();
  expect(tally.read().failing).toEqual({ inRow: 1, forMs: 0 });
});

it('calls that fail beside each other are one failure', () => {
  const tally = new RunTally();
  for (let nth = 1; nth <= 8; nth += 1) tally.begin(100);
  for (let nth = 1; nth <= 8; nth += 1) {
    tally.failed(failure('retry'), null);
    tally.end();
  }
  expect(tally.read().failing.inRow).toBe(1);
});
