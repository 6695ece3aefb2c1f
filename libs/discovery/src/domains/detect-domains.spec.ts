import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { detectDomains } from './detect-domains.js';
import { DOMAIN_TABLE } from './domain-table.js';

const domainsOf = (request: string, files: readonly string[] = []) =>
  detectDomains(request, files).map(({ domain }) => domain);

describe('what a request is about', () => {
  it.each<readonly [string, readonly string[]]>([
    ['Add a login form', ['frontend', 'security']],
    ['Add an endpoint for API keys', ['backend', 'security']],
    ['The UI of the settings is ugly', ['frontend']],
    ['Speed up the slow queries', ['performance', 'data']],
    ['Write the README', ['documentation']],
    ['Deploy it with Docker on Kubernetes', ['infrastructure']],
    ['Flaky tests of the worker', ['testing', 'backend']],
    ['Fix it', []],
    ['', []],
  ])('%j: %j', (request, domains) => {
    expect(domainsOf(request)).toEqual(domains);
  });

  it.each([
    ['build', 'frontend'],
    ['guide', 'frontend'],
    ['capital', 'backend'],
    ['rapid', 'backend'],
    ['author', 'security'],
    ['authority', 'security'],
    ['latest', 'testing'],
    ['contest', 'testing'],
    ['circular', 'infrastructure'],
    ['performer', 'performance'],
    ['platform', 'frontend'],
    ['information', 'frontend'],
    ['homepage', 'frontend'],
    ['sqlike', 'data'],
    ['docstore', 'documentation'],
  ])('is not told by a part of a word: %s is not about %s', (word, domain) => {
    expect(domainsOf(`Please ${word} something`)).not.toContain(domain);
  });

  it('is told by a phrase as a whole only', () => {
    expect(domainsOf('control the access')).not.toContain('security');
    expect(domainsOf('access-control for all')).toContain('security');
    expect(domainsOf('End-to-End')).toEqual(['testing']);
  });

  it('is told by one and by many', () => {
    const words = ['test', 'tests', 'query', 'queries', 'vulnerability', 'vulnerabilities', 'APIs', 'menus', 'Redis'];
    for (const word of words) expect([word, ...domainsOf(`the ${word} here`)]).toHaveLength(2);
  });

  it('is supported by files, never made by them', () => {
    const files = ['src/a.tsx', 'src/b.css', 'db/migrations/1.sql'];
    expect(detectDomains('Change the button', files)).toEqual([
      { domain: 'frontend', because: ['it says "button"', "2 of the repository's files are of it"] },
    ]);
    expect(detectDomains('Change it', files)).toEqual([]);
    expect(domainsOf('the query of the button')).toEqual(['data', 'frontend']);
    expect(domainsOf('the query of the button', ['a.tsx'])).toEqual(['frontend', 'data']);
  });

  it('never changes with letters around its words that belong to other words', () => {
    const terms = DOMAIN_TABLE.flatMap(({ says }) => says.split(',').map((term) => term.trim()));
    fc.assert(
      fc.property(fc.constantFrom(...terms), fc.stringMatching(/^[bcdfghjkmnpqvwxz]{2,5}$/), (term, noise) => {
        const glued = term.split(/\s+/).map((word) => `${noise}${word}${noise}`);
        expect(domainsOf(glued.join(' '))).toEqual([]);
      }),
    );
  });

  it('is the same for the same, and each domain once, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), (request, files) => {
        const found = domainsOf(request, files);
        expect(domainsOf(request, files)).toEqual(found);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });

  it('is found in little time in the longest request and the longest names', () => {
    const names = Array.from({ length: 1_000 }, () => `${'docs/'.repeat(2_000)}x`);
    expect(cpuMs(() => detectDomains('a.b/c '.repeat(20_000), names))).toBeLessThan(1_000);
  });
});
