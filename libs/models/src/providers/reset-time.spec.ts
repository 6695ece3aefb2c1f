import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, LONGEST_WAIT_MS, resetAtOf, SHORTEST_WAIT_MS } from './reset-time.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const waitOf = (headers: Record<string, string>): number | null => {
  const at = resetAtOf((name) => headers[name] ?? null, NOW);
  return at === null ? null : at - NOW;
};

describe('the time at which it is worth trying again', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['milliseconds, which are more exact', { 'retry-after-ms': '2500', 'retry-after': '3' }, 2_500],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:01:00 GMT' }, 60_000],
    ['a date gone by', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, SHORTEST_WAIT_MS],
    ['now', { 'retry-after': '0' }, SHORTEST_WAIT_MS],
    ['a negative number', { 'retry-after': '-5' }, null],
    ['no number', { 'retry-after': 'NaN' }, null],
    ['thirty thousand years', { 'retry-after': '1000000000000' }, LONGEST_WAIT_MS],
    ['nothing', {}, null],
    ['a moment', { 'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:20Z' }, 20_000],
    [
      'the limit that is used up, of several',
      {
        'anthropic-ratelimit-requests-reset': '2026-03-01T13:00:00Z',
        'anthropic-ratelimit-requests-remaining': '17',
        'anthropic-ratelimit-input-tokens-reset': '2026-03-01T12:00:20Z',
        'anthropic-ratelimit-input-tokens-remaining': '0',
      },
      20_000,
    ],
    ['a duration', { 'x-ratelimit-reset-tokens': '1m30s', 'x-ratelimit-reset-requests': '120ms' }, 90_000],
    ['seconds since the epoch', { 'x-ratelimit-reset': String(NOW / 1_000 + 40) }, 40_000],
    ['milliseconds since the epoch', { 'x-ratelimit-reset': String(NOW + 40_000) }, 40_000],
  ])('%s', (_what, headers, expected) => {
    expect(waitOf(headers)).toBe(expected);
  });

  it('is never less than a second nor more than a day away, whatever a header says', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((at) => at.toUTCString()),
    );
    const name = fc.constantFrom(
      'retry-after',
      'retry-after-ms',
      'anthropic-ratelimit-tokens-reset',
      'x-ratelimit-reset-requests',
      'x-ratelimit-reset',
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (headers) => {
        const wait = waitOf(headers);
        return wait === null || (wait >= SHORTEST_WAIT_MS && wait <= LONGEST_WAIT_MS);
      }),
    );
  });

  it('reads durations of several units, and nothing else', () => {
    expect(durationMs('6h0m1.5s')).toBe(21_601_500);
    for (const rubbish of ['', 's', '1', '1x', '1m 30s', '-1s', `${'9'.repeat(70)}s`])
      expect(durationMs(rubbish)).toBeNull();
  });
});
