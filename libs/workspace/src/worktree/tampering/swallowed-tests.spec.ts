import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, diffOf } from './patch.fixture.js';
import { hasTampered, testTampering } from './test-tampering.js';

const found = (file: string, ...lines: readonly string[]) => testTampering(diffOf(changed(file, ...lines)));
const names = (file: string, ...lines: readonly string[]): string[] =>
  found(file, ...lines).removedTests.map(({ name }) => name);

describe('tests in a comment that was put around them', () => {
  it.each([
    ['a.spec.ts', ['+/*', " it('adds', () => {", '   add();', ' });', '+*/'], 'adds'],
    ['a.spec.ts', ['+/* later:', " it('adds', () => {", '+});  */'], 'adds'],
    ['a.spec.ts', ['+/*', "-it('adds', () => {", "+  it('adds', () => {", '-});', '+  });', '+*/'], 'adds'],
    ['a.spec.ts', [' /* of sums', '-*/', " it('adds', () => {", ' });', '+*/'], 'adds'],
    ['a.spec.ts', ['  * of sums', '- */', " it('adds', () => {", ' });', '+ */'], 'adds'],
    ['a.spec.ts', ["+const all = 'src/**'; /*", " it('adds', () => {", '+*/'], 'adds'],
    ['a_test.go', ['+/*', ' func TestAdds(t *testing.T) {', ' }', '+*/'], 'TestAdds'],
    ['src/lib.rs', ['+/*', ' #[test]', ' fn adds() {', ' }', '+*/'], 'adds'],
    ['ATest.java', ['+  /*', '   @Test', '   void adds() {', '   }', '+  */'], 'adds'],
    ['test_a.py', ['+"""', ' def test_adds():', '     assert add(1, 2) == 3', '+"""'], 'test_adds'],
    ['test_a.py', ["+'''", ' def test_adds():', "+'''"], 'test_adds'],
    // The first line ends a text that began before the hunk.
    ['test_a.py', ['     """', '     assert one()', '+"""', ' def test_adds():', '+"""'], 'test_adds'],
  ])('are named: %s %j', (file, lines, name) => {
    expect(names(file, ...lines)).toEqual([name]);
  });

  it('are no longer what is asserted', () => {
    const lines = ['+  /*', '   expect(add(1, 2)).toBe(3);', '   expect(add(2, 2)).toBe(4);', '+  */'];
    expect(found('a.spec.ts', ...lines).weakened).toEqual([{ file: 'a.spec.ts', removed: 2, added: 0 }]);
  });

  it.each([
    ['a.spec.ts', [" it('adds', () => {", '+  /*', '   add();']],
    ['a_test.go', [' func TestAdds(t *testing.T) {', '+/*']],
    ['test_a.py', [' import a', '+"""', ' ']],
    ['test_a.py', ['     """', '     assert one()', '+"""', ' ']],
  ])('are somewhere behind the hunk where the comment does not end in it: %s', (file, lines) => {
    const line = lines
      .find((one) => one.startsWith('+'))
      ?.slice(1)
      .trim();
    expect(found(file, ...lines).skippedTests).toEqual([{ file, line }]);
  });

  it.each([
    ['a.spec.ts', ['+/**', '+ * Sums.', '+ */', " it('adds', () => {"]],
    [
      'a.spec.ts',
      [' /**', '+ * Less.', '+ */', "+it('takes', () => {});", '+', '+/**', '  * Sums.', '  */', " it('adds', "],
    ],
    ['a.spec.ts', ['-/*', " it('adds', () => {", ' });', '-*/']],
    ['a.spec.ts', ['-/*', " it('adds', () => {", ' });']],
    ['a.spec.ts', [" it('adds', () => {", "+  expect(glob('**/*.ts')).toEqual([]);", " it('takes', () => {"]],
    [
      'a.spec.ts',
      [" it('adds', () => {", '+  a.replace(/\\s*/, b);', '+  a.replace(/\\/*$/, b);', " it('takes', () => {"],
    ],
    ['a.spec.ts', [" it('adds', () => {", '+    include: src/*,', '+    include: **/*.ts,', " it('takes', () => {"]],
    ['a.spec.ts', ['+// see /* there', " it('adds', () => {"]],
    ['a.spec.ts', ['-/* Sums. */', '+/** Sums. */', " it('adds', () => {"]],
    ['test_a.py', [' def test_adds():', '+    """Sums."""', ' def test_takes():']],
    ['test_a.py', [' def test_adds():', '+    """Sums', '+    of all kinds.', '+    """', ' def test_takes():']],
    ['test_a.py', [' def test_adds():', '-    """Sums."""', "+    '''Sums.'''", ' def test_takes():']],
    ['test_a.py', ['     Sums.', '     """', '-def test_adds(a):', '+def test_adds(b):', '     x()', '+    y()']],
    ['test_a.py', [' def test_adds():', '+    # no """ here', '+    a = \'"""\'', ' def test_takes():']],
    ['test_a.py', ['-"""', ' def test_adds():', '-"""']],
  ])('are not those beside other comments, nor in globs and patterns: %s %j', (file, lines) => {
    const all = found(file, ...lines);
    expect([all.removedTests, all.skippedTests]).toEqual([[], []]);
  });

  const block = (name: string): string[] => [`it('${name}', () => {`, `  expect(of('${name}')).toBe(1);`, '});'];
  const suite = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 });

  it('are exactly those between its ends', () => {
    fc.assert(
      fc.property(suite, fc.nat(), fc.nat(), (all, one, other) => {
        const [from = 0, to = 0] = [one % (all.length + 1), other % (all.length + 1)].sort((a, b) => a - b);
        const context = (part: readonly string[]) => part.flatMap(block).map((line) => ` ${line}`);
        const [before, within, after] = [all.slice(0, from), all.slice(from, to), all.slice(to)].map(context);
        const lines = [...(before ?? []), '+/*', ...(within ?? []), '+*/', ...(after ?? [])];
        expect(names('a.spec.ts', ...lines)).toEqual(all.slice(from, to));
      }),
    );
  });

  it('are none where every test only gets a comment', () => {
    const comment = fc.constantFrom(
      ['+/** Why. */'],
      ['+/*', '+ why', '+*/'],
      ['+// why'],
      ['+/**', "+ * it('x', () => {", '+ */'],
    );
    fc.assert(
      fc.property(suite, fc.array(comment, { minLength: 8, maxLength: 8 }), (all, comments) => {
        const lines = all.flatMap((name, nth) => [...(comments[nth] ?? []), ...block(name).map((line) => ` ${line}`)]);
        const { weakened, ...rest } = found('a.spec.ts', ...lines);
        expect([hasTampered({ weakened, ...rest }), weakened]).toEqual([false, []]);
      }),
    );
  });
});

describe('tests that are left out under a condition', () => {
  it.each([
    ['+#[cfg(feature = "slow")]', ' #[test]', ' fn adds() {'],
    [' #[test]', '+#[cfg(unix)]', ' fn adds() {'],
    ['-#[cfg(test)]', '+#[cfg(all(test, feature = "slow"))]', ' mod sums {'],
    ['-#[cfg(test)]', '+#[cfg(feature = "slow")]', ' mod tests {'],
    ['+#[cfg(windows)]', ' /// Adds.', ' #[tokio::test]', ' async fn adds() {'],
  ])('are found in Rust: %s %s', (...lines) => {
    const line = lines.find((one) => one.startsWith('+'))?.slice(1);
    expect(found('src/lib.rs', ...lines).skippedTests).toEqual([{ file: 'src/lib.rs', line }]);
  });

  it('are all of a file of tests', () => {
    expect(found('tests/a.rs', '+#![cfg(feature = "slow")]', ' use a;').skippedTests).toHaveLength(1);
  });

  it.each([
    ['+#[cfg(test)]', '+mod tests {'],
    ['+#[cfg(unix)]', ' fn open() {'],
    ['+#[cfg(not(test))]', ' fn now() {'],
    [' #[cfg(unix)]', '-#[test]', '+#[tokio::test]', ' fn adds() {'],
    [' #[test]', ' fn adds() {}', '+#[cfg(unix)]', '+fn help() {}', ' #[test]', ' fn takes() {}'],
  ])('are no other functions: %s %s', (...lines) => {
    expect(found('src/lib.rs', ...lines).skippedTests).toEqual([]);
  });
});
