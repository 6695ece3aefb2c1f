import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { requestScope } from './request-scope.js';

describe('the requests that a playbook fits', () => {
  const scope = requestScope(['Add dark mode toggle', 'rename * to *', '*typo']);

  it.each([
    'Add dark mode toggle',
    ' add  dark mode\ntoggle. ',
    'ADD DARK MODE TOGGLE!',
    'Rename a to b',
    'Fix the typo',
  ])('include %j', (request) => {
    expect(scope.fits(request)).toBe(true);
  });

  it.each([
    'Fix the login',
    'Add dark mode toggle and a login',
    'Do not add dark mode toggle',
    'rename to',
    'typos',
    '',
  ])('exclude %j', (request) => {
    expect(scope.fits(request)).toBe(false);
  });

  it('does not use one text for two parts of a pattern', () => {
    expect(requestScope(['aba*aba']).fits('aba')).toBe(false);
    expect(requestScope(['a*ab*b']).fits('ab')).toBe(false);
    expect(requestScope(['aba*aba']).fits('abaaba')).toBe(true);
  });

  it('names its patterns as examples', () => {
    expect(scope.examples).toEqual(['Add dark mode toggle', 'rename * to *', '*typo']);
  });

  it('takes a pattern as text, not as a regular expression', () => {
    expect(requestScope(['add (a|b)']).fits('add a')).toBe(false);
    expect(requestScope(['add (a|b)']).fits('add (a|b)')).toBe(true);
  });

  it('judges a long request in a moment', () => {
    const long = requestScope(['a*'.repeat(100)]);
    expect(cpuMs(() => long.fits(' .'.repeat(10_000)))).toBeLessThan(500);
  });
});
