import { describe, expect, it } from 'vitest';
import { cases } from '../cases/index.js';
import { EXAMPLES, renderExamples, withoutVolatile } from './examples.js';

describe('the examples', () => {
  it('are cases that exist', () => {
    const names = new Set(cases.map(({ name }) => name));
    expect(EXAMPLES.filter(({ name }) => !names.has(name))).toEqual([]);
  });

  it('show SUMMARY.md of a project that completed, and the question of one that did not', () => {
    const ran = { isRight: true, calls: 1, costUsd: 0, ms: 1 };
    const results = EXAMPLES.flatMap(({ name }) => cases.filter((one) => one.name === name)).map((one) => ({
      ...{ ...ran, case: one, pages: { 'DEFERRED.md': '# Deferred' } },
      ...(one.kind === 'person'
        ? { outcome: 'asked' as const, why: 'It still fails.', summary: '' }
        : { outcome: 'proven' as const, why: '', summary: `# Summary of ${one.name}` }),
    }));
    const page = renderExamples(results);
    expect(page).toContain('# Summary of only-large-can');
    expect(page).toMatch(/It still fails\.[^]*DEFERRED\.md:[^]*# Deferred/);
  });

  it('are the same in each run', () => {
    const hash = 'a1b2c3d4e5f6';
    expect(withoutVolatile(`commit ${hash} of 017-parses-weeks, duration_ms 12.5`)).toBe(
      'commit c0ffeec0ffee of 001-parses-weeks, duration_ms 1',
    );
  });
});
