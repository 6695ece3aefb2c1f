import { expect, it } from 'vitest';
import { upstreamsOf } from './upstreams.js';

const none = { key: null, baseUrl: null };
const nothing = { anthropic: none, openai: none, compatible: none };

it('a provider is reached where it has a key or an address, and not otherwise', () => {
  expect(upstreamsOf(nothing)).toEqual({});
  expect(upstreamsOf({ ...nothing, anthropic: { key: 'k', baseUrl: null } })).toEqual({
    anthropic: { wire: 'anthropic', baseUrl: 'https://api.anthropic.com', apiKey: 'k' },
  });
  expect(upstreamsOf({ ...nothing, openai: { key: null, baseUrl: 'http://here/v1' } })).toEqual({
    openai: { wire: 'openai', baseUrl: 'http://here/v1', apiKey: '' },
  });
});

it('a server of one’s own is one too, and needs no key', () => {
  expect(upstreamsOf({ ...nothing, compatible: { key: null, baseUrl: 'http://here/v1' } })).toEqual({
    compatible: { wire: 'compatible', baseUrl: 'http://here/v1', apiKey: '' },
  });
});
