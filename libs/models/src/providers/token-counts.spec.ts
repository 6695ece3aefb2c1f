import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenCount } from '../token-count.js';
import { anthropicUsage, openaiUsage } from './token-counts.js';

const NONSENSE = [-1, -1e30, 1e30, 1e15, 2 ** 31, Infinity, NaN, 1.5, '7', 'NaN', true, [7], {}];

describe('a report with a number that cannot be true says nothing', () => {
  const anthropic = { input_tokens: 5, output_tokens: 3, cache_read_input_tokens: 1, cache_creation_input_tokens: 1 };
  it.each(Object.keys(anthropic))('as Anthropic’s %s', (name) => {
    expect(anthropicUsage(anthropic)).toEqual({ input: 5, output: 3, cacheRead: 1, cacheWrite: 1, reasoning: 0 });
    for (const value of NONSENSE)
      expect([value, anthropicUsage({ ...anthropic, [name]: value })]).toEqual([value, null]);
  });

  const openai = { input: 5, output: 3, cacheRead: 1, cacheWrite: 1, reasoning: undefined };
  it.each(['input', 'output', 'cacheRead', 'cacheWrite'])('as OpenAI’s %s', (name) => {
    expect(openaiUsage(openai)).toEqual({ input: 3, output: 3, cacheRead: 1, cacheWrite: 1, reasoning: 0 });
    for (const value of NONSENSE) expect([value, openaiUsage({ ...openai, [name]: value })]).toEqual([value, null]);
  });
});

it('what was thought is never more than what was said', () => {
  fc.assert(
    fc.property(fc.anything(), (reasoning) => {
      const openai = openaiUsage({ input: 1, output: 3, cacheRead: null, cacheWrite: null, reasoning });
      const counts = { input_tokens: 1, output_tokens: 3, output_tokens_details: { thinking_tokens: reasoning } };
      for (const usage of [openai, anthropicUsage(counts)]) {
        expect([0, 1, 2, 3]).toContain(usage?.reasoning);
      }
    }),
  );
});

it('every count fits into a column of the ledger', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.double(), fc.integer(), fc.maxSafeInteger()), (value) => {
      const count = tokenCount(value);
      return count === null || (Number.isInteger(count) && count >= 0 && count < 2 ** 31);
    }),
  );
});
