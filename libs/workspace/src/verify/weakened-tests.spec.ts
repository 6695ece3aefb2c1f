import { describe, expect, it } from 'vitest';
import type { DiffFile, WorktreeDiff } from '../worktree/worktree.port.js';
import { isWeakened, weakenedTests } from './weakened-tests.js';

const file = (path: string, status: DiffFile['status'] = 'changed'): DiffFile => ({
  path,
  status,
  from: null,
  insertions: 0,
  deletions: 0,
});

const diff = (path: string, lines: readonly string[], status: DiffFile['status'] = 'changed'): WorktreeDiff => ({
  files: [file(path, status)],
  patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ ${status === 'deleted' ? '/dev/null' : `b/${path}`}\n@@ -1 +1 @@\n${lines.join('\n')}\n`,
  isCut: false,
});

/** Spelled in two parts: this file has no such marks of its own. */
const mark = (name: string): string => `it${name}`;

describe('what a diff does to tests', () => {
  it('names a test file that is gone', () => {
    const found = weakenedTests(diff('src/sum.spec.ts', ["-it('adds', () => {})"], 'deleted'));
    expect(found).toMatchObject({ deletedFiles: ['src/sum.spec.ts'], removed: [] });
    expect(isWeakened(found)).toBe(true);
  });

  it.each([
    ['sum.test.ts', ["-test('adds', () => {", "-it('adds more', () => {"], 2],
    ['tests/test_sum.py', ['-def test_adds():', '-    assert True'], 1],
    ['sum_test.go', ['-func TestAdds(t *testing.T) {'], 1],
    ['src/lib.rs', ['-    #[test]', '-    fn adds() {}'], 1],
    ['src/test/java/SumTest.java', ['-  @Test'], 1],
  ])('counts removed tests in %s', (path, lines, tests) => {
    expect(weakenedTests(diff(path, lines)).removed).toEqual([{ path, tests }]);
  });

  it.each([
    ['sum.test.ts', [`-it('adds', () => {`, `+${mark('.skip')}('adds', () => {`]],
    ['sum.test.ts', [`+x${mark('')}('adds', () => {`]],
    ['sum.test.mjs', ["+test('adds', { skip: true }, () => {"]],
    ['test_sum.py', ['+@pytest.mark.skip(reason="later")']],
    ['test_sum.py', ['+@pytest.mark.xfail']],
    ['sum_test.go', ['+\tt.Skip("later")']],
    ['src/lib.rs', ['+    #[ignore]', '+#[test]']],
    ['SumTest.java', ['+  @Disabled']],
  ])('finds a skipped test in %s: %j', (path, lines) => {
    expect(weakenedTests(diff(path, lines)).skipped).toEqual([{ path, tests: 1 }]);
  });

  it('finds a mark that keeps other tests from running', () => {
    expect(weakenedTests(diff('sum.test.ts', [`+${mark('.only')}('adds', () => {`])).focused).toEqual(['sum.test.ts']);
  });

  it('has nothing to say about new, renamed and repaired tests, and about other code', () => {
    const lines = ["-it('ads', () => {", "+it('adds', () => {", `-${mark('.skip')}('x', () => {`, "+it('x', () => {"];
    expect(isWeakened(weakenedTests(diff('sum.test.ts', lines)))).toBe(false);
    expect(isWeakened(weakenedTests(diff('src/sum.ts', ['-export const a = 1;'])))).toBe(false);
    expect(isWeakened(weakenedTests(diff('src/old.ts', ['-export const a = 1;'], 'deleted')))).toBe(false);
  });

  it('takes no changed line for the head of a file', () => {
    const found = weakenedTests(diff('sum.test.sql', ['--- a/other.test.ts', "-it('adds', () => {})"]));
    expect(found.removed).toEqual([{ path: 'sum.test.sql', tests: 1 }]);
  });

  it('says when it did not see everything', () => {
    expect(weakenedTests({ files: [], patch: '', isCut: true }).isCut).toBe(true);
  });
});
