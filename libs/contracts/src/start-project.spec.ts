import { describe, expect, it } from 'vitest';
import { StartProject } from './start-project.js';

const accepts = (body: unknown): boolean => StartProject.safeParse(body).success;

describe('the body that starts a project', () => {
  it('needs a request only, and fills in what is left out', () => {
    expect(StartProject.parse({ request: 'Add dark mode' })).toEqual({
      request: 'Add dark mode',
      mode: 'coding',
      variant: null,
      goal: null,
      parameters: {},
      labels: {},
    });
  });

  it('takes everything that the documentation shows', () => {
    const body = {
      request: 'Add dark mode toggle',
      mode: 'coding',
      variant: null,
      goal: 'green',
      asides: 'P0',
      repo: { path: '/abs/path/of/repo', ref: 'main' },
      agents: { pin: ['security-reviewer'], forbid: [], count: 5 },
      runtime: 'api',
      models: { small: 'anthropic:claude-haiku-5-5' },
      setup: ['npm ci'],
      copy: ['.env.test'],
      verify: ['npm test'],
      budget: { usd: '40.00', tokens: 500_000 },
      gates: { plan: true },
      sandbox: 'auto',
      webhook: { url: 'https://example.org/hook' },
      commitArtifacts: false,
      labels: { team: 'web' },
    };
    expect(StartProject.parse(body)).toMatchObject(body);
  });

  it.each([
    ['an unknown key', { request: 'abc', colour: 'red' }],
    ['a request of two characters', { request: 'ab' }],
    ['a blank request', { request: ' \n\t ' }],
    ['a request that is too long', { request: 'a'.repeat(20_001) }],
    ['U+0000', { request: 'a\u0000bc' }],
    ['half a surrogate pair', { request: 'abc\ud800' }],
    ['a parameter that is a list', { request: 'abc', parameters: { steps: [1] } }],
    ['an unknown key of the repository', { request: 'abc', repo: { path: '/a', branch: 'x' } }],
    ['a budget as a binary fraction', { request: 'abc', budget: { usd: 40.1 } }],
    ['an unknown goal', { request: 'abc', goal: 'red' }],
    ['asides of P2', { request: 'abc', asides: 'P2' }],
    ['a blank verify command', { request: 'abc', verify: ['npm test', ' '] }],
    ['a blank set-up command', { request: 'abc', setup: ['\t\n'] }],
    ['more tokens than can be raised to', { request: 'abc', budget: { tokens: 1_000_000_000_001 } }],
    ['a webhook that is not http', { request: 'abc', webhook: { url: 'file:///etc/passwd' } }],
  ])('refuses %s', (_what, body) => {
    expect(accepts(body)).toBe(false);
  });
});
