import { describe, expect, it } from 'vitest';
import { coveredFiles } from './covered-files.js';

describe('the test files that a call would run', () => {
  it('are those of the default patterns for node without a path', () => {
    const run = ['a.test.mjs', 'src/b-test.js', 'test/any.js', 'test/deep/any.cjs', 'test-c.ts', 'lib/test.js'];
    expect(coveredFiles('node', [], [...run, 'a.spec.js', '__tests__/b.js', 'e2e/c.js'])).toEqual(run);
  });

  it.each([['vitest'], ['jest'], ['pytest'], ['go']] as const)('are all of them for %s without a path', (runner) => {
    expect(coveredFiles(runner, [], ['any.file'])).toEqual(['any.file']);
  });

  it.each([
    ['node', 'test/unit/'],
    ['node', './test/unit'],
    ['pytest', 'test/unit'],
    ['vitest', 'unit'],
    ['jest', 'test/unit'],
  ] as const)('are those that a path names: %s %s', (runner, filter) => {
    const files = ['test/unit/a.test.js', 'test/e2e/b.test.js'];
    expect(coveredFiles(runner, [filter], files)).toEqual(['test/unit/a.test.js']);
  });

  it('are not those of a folder whose name only begins with the same text', () => {
    expect(coveredFiles('node', ['test'], ['tests/a.test.js'])).toEqual([]);
  });

  it('are all packages of go', () => {
    expect(coveredFiles('go', ['./...'], ['a/a_test.go'])).toEqual(['a/a_test.go']);
    expect(coveredFiles('go', ['./a'], ['a/a_test.go'])).toBeNull();
  });

  it.each([
    ['node', 'test/**/*.js'],
    ['jest', '(a|b)'],
  ] as const)('are not certain with a pattern: %s %s', (runner, filter) => {
    expect(coveredFiles(runner, [filter], ['test/a.test.js'])).toBeNull();
  });
});
