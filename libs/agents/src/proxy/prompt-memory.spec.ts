import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noUsage, OVERHEAD_TOKENS } from '#models';
import { boundOfPrompt, type BoundPrompt } from './prompt-bound.js';
import { PromptMemory } from './prompt-memory.js';
import type { Body } from './wire.js';

const promptOf = (body: Body): BoundPrompt =>
  boundOfPrompt(body, JSON.stringify(body), { wire: 'anthropic', outputTokens: 100, contextTokens: null });
const said = (...texts: string[]): Body => ({
  tools: [{ name: 'Bash', description: 'x'.repeat(5_000) }],
  system: 'You are a test.',
  messages: texts.map((content, nth) => ({ role: nth % 2 === 0 ? 'user' : 'assistant', content })),
});
const uncachedOf = (memory: PromptMemory, body: Body): number => {
  const { parts, likelyTokens } = promptOf(body);
  return memory.uncachedOf(parts, likelyTokens);
};
const taught = (body: Body, input: number): PromptMemory => {
  const memory = new PromptMemory();
  memory.learn(promptOf(body).parts, { ...noUsage, input });
  return memory;
};
const LONG = 'y'.repeat(20_000);

it('of a prompt that goes on, what was in no cache and what is new is left', () => {
  const memory = taught(said(LONG, LONG), 300);
  const next = uncachedOf(memory, said(LONG, LONG, 'z'.repeat(1_000)));
  expect(next).toBeGreaterThan(1_300);
  expect(next).toBeLessThan(1_300 + 2_500);
});

it('of a prompt whose end changed, what comes after the common beginning counts in full', () => {
  const memory = taught(said(LONG, LONG), 300);
  const other = uncachedOf(memory, said(LONG, 'z'.repeat(20_000)));
  expect(other).toBeGreaterThan(20_300);
  expect(other).toBeLessThan(23_000);
});

it('of a prompt that begins otherwise, all of it is left', () => {
  const memory = taught(said(LONG, LONG), 300);
  const body = { ...said(LONG, LONG), system: 'You are another.' };
  expect(uncachedOf(memory, body)).toBe(promptOf(body).likelyTokens);
});

it('a server that caches nothing is expected to count all again', () => {
  expect(uncachedOf(taught(said(LONG, LONG), 11_000), said(LONG, LONG, 'z'))).toBeGreaterThan(11_000);
});

it('marks for the cache, and the form of a text that they need, change nothing', () => {
  const marked = { type: 'text', text: LONG, cache_control: { type: 'ephemeral' } };
  const memory = taught({ ...said(), messages: [{ role: 'user', content: [marked] }] }, 7);
  expect(uncachedOf(memory, said(LONG))).toBeLessThan(2_500);
});

it('never expects less than what is new, nor more than all', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, texts, fc.nat(100_000), (common, before, added, input) => {
      const memory = taught(said(...common, ...before), input);
      const body = said(...common, ...added);
      const uncached = uncachedOf(memory, body);
      const { likelyTokens, bound } = promptOf(body);
      expect(uncached).toBeLessThanOrEqual(likelyTokens);
      expect(likelyTokens).toBeLessThanOrEqual(bound.inputTokens);
      const firstNew = added.findIndex((text, nth) => text !== before[nth]);
      const news = firstNew < 0 ? [] : added.slice(firstNew);
      const bytes = news.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      expect(uncached - OVERHEAD_TOKENS).toBeGreaterThanOrEqual(bytes);
    }),
  );
});

it('remembers no more beginnings than it may, the last ones', () => {
  const memory = new PromptMemory(3);
  memory.learn(promptOf(said(LONG, LONG, LONG, LONG)).parts, { ...noUsage, input: 5 });
  const again = said(LONG, LONG, LONG, LONG);
  expect(uncachedOf(memory, again)).toBeLessThan(2_500);
  expect(uncachedOf(memory, said(LONG))).toBe(promptOf(said(LONG)).likelyTokens);
});
