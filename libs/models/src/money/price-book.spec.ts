import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { BASE_VERSION } from './base-prices.js';
import { modelRefOf } from './model-refs.js';
import { usdOf } from './nano-usd.js';
import { openPriceBook, worstPriceOf } from './open-price-book.js';
import { PriceBook } from './price-book.js';
import { PriceTable } from './price-table.js';

const today = new Date('2026-11-16T12:00:00Z');
const shown = (classes: object): Record<string, string> =>
  Object.fromEntries(Object.entries(classes).map(([name, nano]) => [name, usdOf(nano as bigint)]));
const price = (model: string, at = today) => openPriceBook(null).priceOf(modelRefOf(model), at);

describe('the prices that come with the project', () => {
  it('know the models of the tiers, by token class and length of the prompt', () => {
    const haiku = price('anthropic:claude-haiku-5-5');
    expect(shown(haiku?.classes ?? {})).toEqual({
      input: '0.10', output: '0.50', cacheRead: '0.01', cacheWrite: '0.125', longCacheWrite: '0.20', reasoning: '0.50',
    }); // prettier-ignore
    expect(haiku?.thresholds.map(({ above, classes }) => [above, shown(classes)])).toEqual([
      [100_000, { input: '0.50', output: '2.50', cacheRead: '0.05', cacheWrite: '0.625', longCacheWrite: '1.00', reasoning: '2.50' }],
    ]); // prettier-ignore
    expect(shown(price('anthropic:claude-sonnet-5-5')?.classes ?? {})).toMatchObject({
      input: '2.00', output: '10.00', cacheRead: '0.20', cacheWrite: '2.50',
    }); // prettier-ignore
    expect(shown(price('anthropic:claude-opus-5-5')?.classes ?? {})).toMatchObject({
      input: '4.00', output: '20.00', cacheRead: '0.20', cacheWrite: '5.00',
    }); // prettier-ignore
    expect(haiku?.version).toBe('qralph/2025-01-01');
  });

  it('come from the public table for others, thresholds included', () => {
    const known = price('anthropic:claude-sonnet-4-5-20250929');
    expect(known?.version).toBe(BASE_VERSION);
    expect(shown(known?.classes ?? {})).toMatchObject({ input: '3.00', output: '15.00', cacheWrite: '3.75' });
    expect(known?.thresholds.map(({ above, classes }) => [above, usdOf(classes.input)])).toEqual([[200_000, '6.00']]);
    expect(shown(price('openai:gpt-5')?.classes ?? {})).toMatchObject({
      input: '1.25',
      cacheRead: '0.125',
      cacheWrite: '1.25',
    });
  });

  it.each([
    'anthropic:claude-sonnet-5-9',
    'anthropic:claude-opus-99',
    'openai:gpt-5-but-not-quite',
    'compatible:gpt-5',
    'nobody:x',
  ])('are unknown for %s, not guessed from a name that begins alike', (model) => {
    expect(price(model)).toBeNull();
  });

  it('name the release of the public table that is installed', () => {
    const installed = JSON.parse(readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8')) as {
      version: string;
    };
    expect(BASE_VERSION).toBe(`genai-prices-${installed.version}`);
  });

  it('know how much a model holds', () => {
    const context = (model: string) => openPriceBook(null).contextOf(modelRefOf(model));
    expect([context('anthropic:claude-haiku-5-5'), context('openai:gpt-5'), context('compatible:x')]).toEqual([
      1_000_000,
      400_000,
      null,
    ]);
  });
});

describe('a table of prices', () => {
  const table = PriceTable.parse(
    `version: mine
prices:
  - { model: "compatible:llama", from: "2026-03-01", input: 2, output: 4 }
  - { model: "compatible:llama", from: "2026-01-01", input: "1", output: 2.5, cacheRead: 0.1 }`,
    'mine.yaml',
  );
  const book = new PriceBook([table]);
  const llama = { provider: 'compatible', model: 'llama' };

  it('holds from its day on, until a newer one does', () => {
    const at = (day: string) => book.priceOf(llama, new Date(`${day}T00:00:00Z`));
    expect(at('2025-12-31')).toBeNull();
    expect(at('2026-01-01')).toMatchObject({ version: 'mine/2026-01-01', classes: { input: 1_000_000_000n } });
    expect(at('2026-02-28')?.classes).toMatchObject({ cacheRead: 100_000_000n, cacheWrite: 1_000_000_000n });
    expect(at('2026-03-01')?.classes).toMatchObject({ input: 2_000_000_000n, cacheRead: 2_000_000_000n });
  });

  it('of the user comes before ours', async () => {
    const folder = tempFolder('prices');
    const file = join(folder.path, 'mine.json');
    const entry = { model: 'anthropic:claude-haiku-5-5', from: '2026-01-01', input: 9, output: 9 };
    writeFileSync(file, JSON.stringify({ version: 'mine', prices: [entry] }));
    try {
      const found = openPriceBook(file).priceOf(modelRefOf('anthropic:claude-haiku-5-5'), today);
      expect(found).toMatchObject({ version: 'mine/2026-01-01', classes: { input: 9_000_000_000n } });
    } finally {
      await folder.remove();
    }
  });

  it.each([
    ['{', 'mine'],
    ['[]', 'the file'],
    [
      'version: a\nprices: [{ model: llama, from: "2026-01-01", input: 1, output: 1 }]',
      'prices.0.model must be provider:model',
    ],
    ['version: a\nprices: [{ model: "a:b", from: soon, input: 1, output: 1 }]', 'prices.0.from must be the day'],
    [
      'version: a\nprices: [{ model: "a:b", from: "2026-01-01", input: -1, output: 1 }]',
      'prices.0.input must be an amount in USD',
    ],
    [
      'version: a\nprices: [{ model: "a:b", from: "2026-01-01", input: .nan, output: 1 }]',
      'prices.0.input must be an amount in USD',
    ],
    [
      'version: a\nprices: [{ model: "a:b", from: "2026-01-01", input: 1 }]',
      'prices.0.output must be an amount in USD',
    ],
    ['version: a\nprices: [{ model: "a:b", from: "2026-01-01", input: 1, output: 1, extra: 1 }]', 'extra'],
  ])('that makes no sense is refused with what is wrong: %j', (text, words) => {
    expect(() => PriceTable.parse(text, 'mine.yaml')).toThrow(expect.objectContaining({ code: 'PRICES_INVALID' }));
    expect(() => PriceTable.parse(text, 'mine.yaml')).toThrow(words);
  });

  it('that is not there is refused with its name', () => {
    expect(() => openPriceBook('/no/such/file.yaml')).toThrow('/no/such/file.yaml');
  });
});

describe('the worst case', () => {
  it('is one price for tokens in and one for tokens out, whatever their class', () => {
    expect(shown(worstPriceOf({ input: '15', output: '75' }).classes)).toEqual({
      input: '15.00', cacheRead: '15.00', cacheWrite: '15.00', longCacheWrite: '15.00', output: '75.00', reasoning: '75.00',
    }); // prettier-ignore
    expect(() => worstPriceOf({ input: 'much', output: '1' })).toThrow(
      expect.objectContaining({ code: 'PRICES_INVALID' }),
    );
  });
});
