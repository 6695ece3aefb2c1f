import { describe, expect, it } from 'vitest';
import { SecretBook } from '#kernel';
import { openPriceBook } from '../money/open-price-book.js';
import { openProviders } from './open-providers.js';
import { tiersOf } from './tiers.js';

const shapesOnly = new SecretBook();
const NOWHERE = { key: null, baseUrl: null };
const NOTHING = { anthropic: NOWHERE, openai: NOWHERE, compatible: NOWHERE, playbookFile: null };
const UNSET = { small: null, medium: null, large: null };

describe('the models of a tier', () => {
  const real = openProviders({ ...NOTHING, openai: { key: 'k', baseUrl: null } }, shapesOnly);

  it('are those configured, in the order of falling back, or a default', () => {
    const tiers = tiersOf({ ...UNSET, small: 'openai:gpt-5-mini, compatible:llama:70b' }, real);
    expect(tiers).toEqual({
      small: [
        { provider: 'openai', model: 'gpt-5-mini' },
        { provider: 'compatible', model: 'llama:70b' },
      ],
      medium: [{ provider: 'openai', model: 'gpt-6-sol' }],
      large: [{ provider: 'openai', model: 'gpt-6-astra' }],
    });
  });

  it.each([
    [['anthropic', 'openai'], 'anthropic'],
    [['openai', 'compatible'], 'openai'],
    [['compatible'], 'anthropic'],
  ] as const)('of %j are by default those of %s', (there, expected) => {
    const place = { key: 'k', baseUrl: 'http://127.0.0.1:9/v1' };
    const settings = { ...NOTHING, ...Object.fromEntries(there.map((name) => [name, place])) };
    const { small, medium, large } = tiersOf(UNSET, openProviders(settings, shapesOnly));
    expect([...small, ...medium, ...large].map(({ provider }) => provider)).toEqual(Array(3).fill(expected));
  });

  it('of the defaults have a price and a known size', () => {
    const prices = openPriceBook(null);
    for (const provider of ['anthropic', 'openai'] as const) {
      const settings = { ...NOTHING, [provider]: { key: 'k', baseUrl: null } };
      const refs = Object.values(tiersOf(UNSET, openProviders(settings, shapesOnly))).flat();
      for (const ref of refs) {
        expect(prices.priceOf(ref, new Date())).not.toBeNull();
        expect(prices.contextOf(ref)).toBeGreaterThan(100_000);
      }
    }
  });

  it('are refused where they are none', () => {
    expect(() => tiersOf({ ...UNSET, large: 'opus' }, real)).toThrow('"opus" is no model');
  });
});

describe('the providers of a configuration', () => {
  it('are those with a key or an address', () => {
    const settings = {
      ...NOTHING,
      anthropic: { key: 'k', baseUrl: null },
      compatible: { key: null, baseUrl: 'http://127.0.0.1:9/v1' },
    };
    const providers = openProviders(settings, shapesOnly);
    expect([...providers.keys()]).toEqual(['anthropic', 'compatible']);
    expect([...providers.values()].some(({ isSimulated }) => isSimulated)).toBe(false);
  });

  it('is the playbook alone where nothing is configured, and it stands in for every tier', () => {
    const providers = openProviders(NOTHING, shapesOnly);
    expect([...providers.values()].map(({ name, isSimulated }) => [name, isSimulated])).toEqual([['playbook', true]]);
    const tiers = tiersOf({ ...UNSET, small: 'anthropic:claude-haiku-5-5' }, providers);
    expect(tiers.small).toEqual([{ provider: 'playbook', model: 'playbook' }]);
  });

  it.each(['ftp://x', 'not an address', 'http://user:secret-word@host/'])(
    'refuse the address %s without repeating it',
    (baseUrl) => {
      const open = () => openProviders({ ...NOTHING, openai: { key: null, baseUrl } }, shapesOnly);
      expect(open).toThrow('OPENAI_BASE_URL must be');
      expect(open).not.toThrow('secret-word');
    },
  );

  it('want an address for a compatible server', () => {
    expect(() => openProviders({ ...NOTHING, compatible: { key: 'k', baseUrl: null } }, shapesOnly)).toThrow(
      'QRALPH_COMPATIBLE_URL',
    );
  });
});
