import { expect, it } from 'vitest';
import { systemClock } from '#kernel';
import { HandClock } from '../api/world.fixture.js';
import { RunTally } from '../proxy/run-tally.js';
import { CLI_LIMITS } from './cli-parts.js';
import { RunWatch } from './watch-run.js';

const failure = { status: 500, code: 'MODEL_SERVER_ERROR', remedy: 'retry' as const, words: 'oops' };

function watching(clock = new HandClock()) {
  const tally = new RunTally(clock);
  const watch = new RunWatch({ clock, epochMs: () => 0, limits: CLI_LIMITS, tally: () => tally.read() });
  const fail = async (ms = 1_000): Promise<void> => {
    await clock.pass(ms);
    tally.failed(failure, null);
    await clock.pass(1_000);
  };
  return { tally, watch, fail };
}

it('the limit that a run was ended for is kept, though a call that was under way succeeds yet', () => {
  const tally = new RunTally();
  tally.failed({ status: 429, code: 'MODEL_RATE_LIMITED', remedy: 'wait', words: 'later' }, 1_000_000);
  const watch = new RunWatch({
    clock: systemClock,
    epochMs: () => 0,
    limits: CLI_LIMITS,
    tally: () => tally.read(),
  });
  expect(watch.signal.aborted).toBe(true);
  tally.answered();
  expect(watch.endedFor).toEqual({ why: 'rate-limit', rateLimit: { resetAt: 1_000_000, words: 'later' } });
  watch.stop();
});

it('a run whose calls fail one after the other is ended, and a call that is answered counts them anew', async () => {
  const { tally, watch, fail } = watching();
  for (let nth = 1; nth < CLI_LIMITS.failuresInRow; nth += 1) await fail();
  tally.answered();
  for (let nth = 1; nth < CLI_LIMITS.failuresInRow; nth += 1) await fail();
  expect(watch.signal.aborted).toBe(false);
  await fail();
  tally.answered();
  expect([watch.signal.aborted, watch.endedFor]).toEqual([true, { why: 'failing', failure, rateLimit: null }]);
  watch.stop();
});

it('a run whose calls take long to fail is ended by the time that this has gone on for', async () => {
  const { watch, fail } = watching();
  await fail();
  await fail(CLI_LIMITS.failingMs - 10_000);
  expect(watch.signal.aborted).toBe(false);
  await fail(10_000);
  expect(watch.endedFor).toMatchObject({ why: 'failing' });
  watch.stop();
});

it('a single failure long ago ends nothing', async () => {
  const clock = new HandClock();
  const { watch, fail } = watching(clock);
  await fail();
  await clock.pass(CLI_LIMITS.failingMs * 2);
  expect(watch.endedFor).toBeNull();
  watch.stop();
});

it('a run that is to pause is ended between two calls, and after a while in the middle of one', async () => {
  for (const [passes, isCalling] of [[1_000, false], [21_000, true]] as const) {
    const clock = new HandClock();
    const tally = new RunTally(clock);
    if (isCalling) tally.begin(10);
    const pause = new AbortController();
    const parts = { clock, epochMs: () => 0, limits: CLI_LIMITS, tally: () => tally.read(), pausing: pause.signal };
    const watch = new RunWatch(parts);
    await clock.pass(1_000);
    expect(watch.endedFor).toBeNull();
    pause.abort();
    for (let ms = 0; ms < passes; ms += 500) await clock.pass(500);
    expect(watch.endedFor).toEqual({ why: 'pausing' });
    watch.stop();
  }
}); // prettier-ignore
