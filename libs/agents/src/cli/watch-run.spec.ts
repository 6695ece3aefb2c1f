import { expect, it } from 'vitest';
import { systemClock } from '#kernel';
import { RunTally } from '../proxy/run-tally.js';
import { CLI_LIMITS } from './cli-parts.js';
import { RunWatch } from './watch-run.js';

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
