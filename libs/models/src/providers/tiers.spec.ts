import { describe, expect, it } from 'vitest';
import { SecretBook, UserError } from '#kernel';
import { contextTokensOf } from './context-tokens.js';
import { openProviders } from './open-providers.js';
import { parseModels, tiersOf } from './tiers.js';

const shapesOnly = new SecretBook();
const NOWHERE = { key: null, baseUrl: null };
const NOTHING = { anthropic: NOWHERE, openai: NOWHERE, compatible: NOWHERE, playbookFile: null };
const UNSET = { small: null, medium: null, large: null };

describe('the models of a tier', () => {
  it('are listed in the order of falling back, each once', () => {
    const known = ['anthropic', 'compatible'];
    expect(
      parseModels('anthropic:claude-haiku-5-5, compatible:llama:70b,anthropic:claude-haiku-5-5', known, 'X'),
    ).toEqual([
      { provider: 'anthropic', model: 'claude-haiku-5-5' },
      { provider: 'compatible', model: 'llama:70b' },
    ]);
  });

  it.each([
    ['mistral:large', 'names the provider "mistral", which is not configured; there is anthropic, openai'],
    ['haiku', 'X has "haiku", which is not provider:model'],
    ['', 'not provider:model'],
    ['anthropic:', 'not provider:model'],
    ['__proto__:x', 'not provider:model'],
    [Array(11).fill('anthropic:x').join(), 'more than 10'],
  ])('are refused where nobody provides them: %j', (text, words) => {
    expect(() => parseModels(text, ['anthropic', 'openai'], 'X')).toThrow(UserError);
    expect(() => parseModels(text, ['anthropic', 'openai'], 'X')).toThrow(words);
  });

  it('have defaults, and say which variable to set where those are not provided', () => {
    expect(tiersOf(UNSET, new Set(['anthropic']))('large')).toEqual([
      { provider: 'anthropic', model: 'claude-opus-5-5' },
    ]);
    const openaiOnly = tiersOf({ ...UNSET, small: 'openai:gpt-5-mini' }, new Set(['openai']));
    expect(openaiOnly('small')).toEqual([{ provider: 'openai', model: 'gpt-5-mini' }]);
    expect(() => openaiOnly('large')).toThrow('QRALPH_MODEL_LARGE is not set');
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
    const tiers = tiersOf({ ...UNSET, small: 'anthropic:claude-haiku-5-5' }, new Set(providers.keys()));
    expect(tiers('small')).toEqual([{ provider: 'playbook', model: 'playbook' }]);
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

describe('how much a model holds', () => {
  it('is what is told, what is known, or the default', () => {
    const ref = { provider: 'openai', model: 'gpt-4.1-mini' };
    expect(contextTokensOf(ref)).toBe(1_000_000);
    expect(contextTokensOf(ref, { 'openai:gpt-4.1-mini': 32_000 })).toBe(32_000);
    expect(contextTokensOf({ provider: 'compatible', model: 'constructor' })).toBe(200_000);
  });
});
