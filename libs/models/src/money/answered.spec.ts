import { expect, it } from 'vitest';
import { isSameModel } from './answered.js';

it('a model is known by its name, or by that of its dated snapshot', () => {
  for (const [asked, by] of [
    ['gpt-6', 'gpt-6'],
    ['gpt-6', 'gpt-6-2026-08-07'],
    ['claude-haiku-5-5', 'claude-haiku-5-5-20261001'],
    ['claude-haiku-latest', 'claude-haiku-20261001'],
    ['vendor/gpt-6', 'gpt-6'],
  ] as const) {
    expect([asked, by, isSameModel(asked, by)]).toEqual([asked, by, true]);
  }
  for (const [asked, by] of [
    ['gpt-6', 'gpt-6-pro'],
    ['gpt-6-2026-08-07', 'gpt-6-2026-09-01'],
    ['gpt-6-mini', 'gpt-6'],
    ['claude-haiku-5-5', 'claude-opus-5-5-20261001'],
  ] as const) {
    expect([asked, by, isSameModel(asked, by)]).toEqual([asked, by, false]);
  }
});
