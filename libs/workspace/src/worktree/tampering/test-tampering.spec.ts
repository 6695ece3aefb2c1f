import { describe, expect, it } from 'vitest';
import type { WorktreeDiff } from '../worktree.port.js';
import { changed, diffOf, SKIP } from './patch.fixture.js';
import { hasTampered, testTampering } from './test-tampering.js';

const names = (diff: WorktreeDiff): string[] => testTampering(diff).removedTests.map(({ name }) => name);

describe('tests that are gone', () => {
  it.each([
    ['a.spec.ts', "  it('adds', () => {", 'adds'],
    ['a.test.js', 'test.concurrent("adds", async () => {', 'adds'],
    ['a.test.mjs', "describe('sums', function () {", 'sums'],
    ['a.spec.ts', '  it.each([1, 2])(`adds %d`, (n) => {', 'adds %d'],
    ['a.spec.ts', "  ])('adds %d', (n) => {", 'adds %d'],
    ['a.spec.ts', "  ] ) )('adds %d', (n) => {", 'adds %d'],
    ['test.mjs', "test('adds', () => {", 'adds'],
    ['test_a.py', '    async def test_adds(self):', 'test_adds'],
    ['tests/a.py', 'class TestSum(TestCase):', 'TestSum'],
    ['a_test.go', 'func TestAdds(t *testing.T) {', 'TestAdds'],
    ['a_test.go', '\tt.Run("adds", func(t *testing.T) {', 'adds'],
  ])('are named: %s %s', (file, line, name) => {
    expect(names(diffOf(changed(file, `-${line}`, '-  body();', '-}')))).toEqual([name]);
  });

  it.each([
    ['src/lib.rs', ['-    #[test]', '-    fn adds() {', '-    }'], 'adds'],
    ['src/lib.rs', ['-    #[tokio::test]', '     async fn adds() {'], 'adds'],
    ['src/lib.rs', ['-#[test]', '-#[should_panic]', '-fn adds() {'], 'adds'],
    ['src/test/java/ATest.java', ['-  @Test', '-  public void adds() {', '-  }'], 'adds'],
    ['src/test/java/ATest.java', ['-  @Test', '   void adds() throws Exception {'], 'adds'],
    ['src/test/kotlin/ATest.kt', ['-  @Test fun `adds up`() {', '-  }'], 'adds up'],
    [
      'src/test/java/ATest.java',
      ['-  @ParameterizedTest', '-  @ValueSource(ints = {1})', '-  void adds(int n) {'],
      'adds',
    ],
  ])('are named by the function that their mark speaks of: %s %j', (file, lines, name) => {
    expect(names(diffOf(changed(file, ...lines)))).toEqual([name]);
  });

  it('are reported where they were only commented out, or moved to where no runner looks', () => {
    expect(names(diffOf(changed('a.spec.ts', "-it('adds', () => {", "+// it('adds', () => {")))).toEqual(['adds']);
    const moved = diffOf(changed('a.spec.ts', "-it('adds', () => {", '-});'), {
      from: null,
      to: 'attic/old.ts',
      lines: ["+it('adds', () => {", '+});'],
    });
    expect(names(moved)).toEqual(['adds']);
  });

  it('are not those that stay, are moved, or are only renamed', () => {
    const moved = diffOf(changed('a.spec.ts', "-it('adds', () => {", '-  a();', '-});'), {
      from: null,
      to: 'b.spec.ts',
      lines: ["+  it('adds', () => {", '+  });'],
    });
    expect(names(moved)).toEqual([]);
    expect(
      names(diffOf(changed('a.spec.ts', "-it('adds', () => {", "+it('adds up', () => {", '   expect(1);'))),
    ).toEqual([]);
    expect(names(diffOf(changed('a.rs', ' #[test]', '-fn adds() {', '+fn adds_up() {')))).toEqual([]);
    expect(names(diffOf(changed('a.spec.ts', "-it('adds', () => {", "+it('adds', async () => {")))).toEqual([]);
  });

  it('are reported where a test of another name and body took the place', () => {
    const lines = ["-it('adds', () => {", '-  expect(add(1, 2)).toBe(3);', '-});', "+it('is fine', () => {});"];
    expect(names(diffOf(changed('a.spec.ts', ...lines)))).toEqual(['adds']);
  });

  it('are not seen in the text of a test, nor in files of other kinds', () => {
    expect(names(diffOf(changed('a.md', "-it('adds', () => {")))).toEqual([]);
    expect(names(diffOf(changed('src/a.ts', '-  const it = items.find(x);', "-  split('a');")))).toEqual([]);
  });
});

describe('test files that are gone', () => {
  it('are named, unless all their tests are elsewhere', () => {
    const gone = { from: 'a.spec.ts', to: null, lines: ["-it('adds', () => {", '-});'] };
    expect(testTampering(diffOf(gone)).removedFiles).toEqual(['a.spec.ts']);
    const kept = { from: null, to: 'b.spec.ts', lines: ["+it('adds', () => {", '+});'] };
    expect(hasTampered(testTampering(diffOf(gone, kept)))).toBe(false);
    expect(testTampering(diffOf({ from: 'src/a.ts', to: null, lines: ['-x'] })).removedFiles).toEqual([]);
  });

  it('are named where they were renamed so that no runner finds them, and only then', () => {
    expect(testTampering(diffOf({ from: 'a.spec.ts', to: 'a.old.ts', lines: [] })).removedFiles).toEqual(['a.spec.ts']);
    expect(hasTampered(testTampering(diffOf({ from: 'a.spec.ts', to: 'sub/b.spec.ts', lines: [] })))).toBe(false);
  });

  it('are named where the diff was cut before them', () => {
    const diff = {
      ...diffOf(),
      isCut: true,
      files: [{ path: 'test_a.py', status: 'deleted', from: null, insertions: 0, deletions: 9 }] as const,
    };
    expect(testTampering(diff)).toMatchObject({ removedFiles: ['test_a.py'], isComplete: false });
  });
});

describe('tests that were switched off', () => {
  it.each([
    ['a.spec.ts', `it.${SKIP}('a', () => {`],
    ['a.spec.ts', "describe.only('a', () => {"],
    ['a.spec.ts', "xit('a', () => {"],
    ['a.spec.ts', "fdescribe('a', () => {"],
    ['a.spec.ts', "it.todo('a');"],
    ['a.spec.ts', "test('a', { skip: true }, () => {"],
    ['a.spec.ts', "  t.skip('later');"],
    ['a.spec.ts', "it.skipIf(process.env.CI)('a', () => {"],
    ['a.spec.js', "  pending('later');"],
    ['a.spec.ts', '  ctx.skip();'],
    ['a.spec.ts', "  anything.skip('later');"],
    ['a.spec.ts', '  skip();'],
    ['a.spec.ts', '    skip: true,'],
    ['a.spec.ts', "it['skip']('a', () => {"],
    ['a.spec.ts', "it.each([])('a %d', () => {"],
    ['a.spec.ts', "describe.concurrent.for([ ])('a', () => {"],
    ['a.spec.ts', 'if (false) {'],
    ['test_a.py', '@mark.skip'],
    ['test_a.py', '    @mark.skipif(True, reason="later")'],
    ['test_a.py', 'pytestmark = mark.xfail'],
    ['test_a.py', '    skip("later")'],
    ['test_a.py', '@u.skipUnless(False, "later")'],
    ['test_a.py', '    __test__ = False'],
    ['test_a.py', '@pytest.mark.parametrize("a", [])'],
    ['test_a.py', 'if False:'],
    ['a_test.go', '//go:build integration'],
    ['a_test.go', '// +build slow'],
    ['src/test/java/ATest.java', '  @Test @Disabled'],
    ['src/test/java/ATest.java', '  @Test @org.junit.jupiter.api.Disabled("later") void adds() {'],
    ['src/test/java/ATest.java', '  @EnabledOnOs(OS.WINDOWS)'],
    ['test_a.py', '@pytest.mark.skip(reason="later")'],
    ['test_a.py', '@pytest.mark.xfail'],
    ['test_a.py', '    @unittest.skip("later")'],
    ['test_a.py', '    pytest.skip("later")'],
    ['test_a.py', '        self.skipTest("later")'],
    ['a_test.go', '\tt.Skip("later")'],
    ['a_test.go', '\tt.SkipNow()'],
    ['a_test.go', '//go:build ignore'],
    ['src/lib.rs', '    #[ignore]'],
    ['src/lib.rs', '    #[ignore = "slow"]'],
    ['src/test/java/ATest.java', '  @Disabled("later")'],
    ['src/test/java/ATest.java', '  @Ignore'],
    ['src/test/java/ATest.java', '  @Test(enabled = false)'],
  ])('are found: %s %s', (file, line) => {
    expect(testTampering(diffOf(changed(file, `+${line}`))).skippedTests).toEqual([{ file, line: line.trim() }]);
    expect(testTampering(diffOf(changed(file, `-${line}`))).skippedTests).toEqual([]);
    expect(testTampering(diffOf(changed(file, ` ${line}`, '+ok()'))).skippedTests).toEqual([]);
  });

  it('are not those that were off before and only moved, nor words in a comment', () => {
    const moved = diffOf(
      changed('a.spec.ts', `-it.${SKIP}('a', () => {`),
      changed('b.spec.ts', `+  it.${SKIP}('a', () => {`),
    );
    expect(testTampering(moved).skippedTests).toEqual([]);
    expect(testTampering(diffOf(changed('a.spec.ts', '+// never use it.skip here'))).skippedTests).toEqual([]);
    expect(testTampering(diffOf(changed('src/a.ts', '+  const rest = items.skip(1);'))).skippedTests).toEqual([]);
    expect(testTampering(diffOf(changed('a.test.mjs', "+test('a', { skip: false }, f);"))).skippedTests).toEqual([]);
  });

  it.each([
    ['a.spec.ts', '  cursor.skip(10);'],
    ['a.spec.ts', "it.each([1, 2])('a %d', () => {"],
    ['a.spec.ts', '    skip: 10,'],
    ['test_a.py', '    skip_rows(3)'],
    ['test_a.py', '@pytest.mark.parametrize("a", [1])'],
    ['test_a.py', '    __test__ = True'],
    ['ATest.java', '  @JsonIgnore'],
    ['a_test.go', '// a build of its own'],
  ])('are not other words like them: %s %s', (file, line) => {
    expect(testTampering(diffOf(changed(file, `+${line}`))).skippedTests).toEqual([]);
  });

  it.each([
    ['a.spec.ts', `/* later */ it.${SKIP}('a', () => {`],
    ['a.spec.ts', `*/ it.${SKIP}('a', () => {`],
    ['a.spec.ts', ` * later */ it.${SKIP}('a', () => {`],
    ['ATest.java', '/* later */ @Disabled void adds() {'],
  ])('are found behind the end of a comment: %s %s', (file, line) => {
    expect(testTampering(diffOf(changed(file, `+${line}`))).skippedTests).toEqual([{ file, line: line.trim() }]);
  });

  it('is no test that was removed', () => {
    const found = testTampering(diffOf(changed('a.spec.ts', "-it('a', () => {", `+it.${SKIP}('a', () => {`)));
    expect([found.removedTests, found.skippedTests.length]).toEqual([[], 1]);
  });
});

describe('what is for a person to judge', () => {
  it('is a test file that asserts less, or only what always holds', () => {
    const lines = ['-  expect(add(1, 2)).toBe(3);', '-  expect(add(2, 2)).toBe(4);', '+  expect(true).toBe(true);'];
    const found = testTampering(diffOf(changed('a.spec.ts', ...lines)));
    expect(found.weakened).toEqual([{ file: 'a.spec.ts', removed: 2, added: 0 }]);
    expect(hasTampered(found)).toBe(false);
  });

  it('counts what was added and asserts something, in tests alone and not by its import', () => {
    const lines = ["+import assert from 'node:assert';", "+test('x', () => assert.ok(true));", '+  assert.equal(add(1, 2), 3);']; // prettier-ignore
    expect(testTampering(diffOf(changed('a.test.mjs', ...lines))).assertions).toBe(1);
    expect(testTampering(diffOf(changed('a.mjs', ...lines))).assertions).toBe(0);
  });

  it('is no assertion that was only moved', () => {
    const line = '  expect(add(1, 2)).toBe(3);';
    const diff = diffOf(changed('a.spec.ts', `-${line}`), changed('b.spec.ts', `+  ${line}`));
    expect(testTampering(diff).weakened).toEqual([]);
  });

  it.each([
    ['package.json', '    "test": "true",'],
    ['package.json', '    "test:unit": "vitest run src",'],
    ['package.json', '    "unit": "vitest run src",'],
    ['package.json', '  "jest": {'],
    ['vitest.config.ts', '  exclude: ["**"],'],
    ['jest.setup.js', 'globalThis.it = () => {};'],
    ['conftest.py', 'collect_ignore = ["tests"]'],
    ['pyproject.toml', 'addopts = "--ignore=tests"'],
    ['Makefile', 'test: ; true'],
    ['pom.xml', '<skipTests>true</skipTests>'],
    ['build.gradle', 'ignoreFailures = true'],
    ['.npmrc', 'script-shell=./fake.sh'],
    ['.yarnrc.yml', 'yarnPath: ./fake.cjs'],
    ['.cargo/config.toml', 'runner = "true"'],
    ['.mvn/maven.config', '-DskipTests'],
    ['package.json', '    "moduleNameMapper": { "src": "stub" }'],
    ['conftest.py', 'def pytest_pyfunc_call(pyfuncitem): return True'],
    ['vite.config.ts', "    exclude: ['src/old/**'],"],
    ['packages/a/vite.config.mts', "    include: ['src/new/**'],"],
  ])('is a change to what is run: %s', (file, line) => {
    expect(testTampering(diffOf(changed(file, `+${line}`))).runnerFiles).toEqual([file]);
  });

  it.each([
    ['package.json', '    "left-pad": "1.0.0",'],
    ['package.json', '    "vitest": "^3.2.0",'],
    ['package.json', '    "test-exclude": "6.0.0",'],
    ['package.json', '    "build": "tsc",'],
    ['.npmrc', 'registry=https://registry.npmjs.org'],
    ['conftest.py', 'def pytest_addoption(parser): ...'],
    ['vitest.config.ts', '  // the alias is gone'],
    ['playwright.spec.ts', '  await page.click();'],
    ['conftest.py', 'def client(): return Client()'],
    ['pyproject.toml', 'dependencies = ["pytest>=8"]'],
  ])('is no change of something else: %s %s', (file, line) => {
    expect(testTampering(diffOf(changed(file, `+${line}`))).runnerFiles).toEqual([]);
  });

  it('is any line of a vite.config that stands where its tests are spoken of', () => {
    const listed = changed('vite.config.ts', '   test: {', '     exclude: [', "+      'src/old/**',", '     ],');
    expect(testTampering(diffOf(listed)).runnerFiles).toEqual(['vite.config.ts']);
    const option = changed('vite.config.ts', '   test: {', '+    passWithNoTests: true,', '   },');
    expect(testTampering(diffOf(option)).runnerFiles).toEqual(['vite.config.ts']);
    const comment = changed('vite.config.ts', '   test: {', '+    // as in the other packages', '   },');
    expect(testTampering(diffOf(comment)).runnerFiles).toEqual([]);
    const other = changed('vite.config.ts', '   server: {', '+    port: 80,', '   },');
    expect(testTampering(diffOf(other)).runnerFiles).toEqual([]);
  });

  it.each([
    ['vitest.config.ts', "export default { test: { exclude: ['src/**'] } };"],
    ['packages/a/jest.config.js', "module.exports = { testPathIgnorePatterns: ['/src/'] };"],
    ['.mocharc.json', '{ "spec": "one.js" }'],
    ['pytest.ini', 'addopts = --ignore=tests/slow'],
    ['conftest.py', 'def pytest_collection_modifyitems(items): items.clear()'],
    ['pyproject.toml', 'addopts = "--ignore=tests"'],
    ['vite.config.ts', "  test: { exclude: ['src/**'] },"],
    ['GNUmakefile', 'test: ; true'],
    ['pytest.py', 'print("5 passed")'],
    ['unittest/__init__.py', 'x = 1'],
    ['.npmrc', 'node-options=--import=./fake.mjs'],
  ])('is a new file that says what is run: %s', (file, line) => {
    const found = testTampering(diffOf({ from: null, to: file, lines: [`+${line}`] }));
    expect([found.newRunnerFiles, found.runnerFiles]).toEqual([[file], []]);
  });

  it.each([
    ['packages/b/package.json', '    "test": "vitest run",'],
    ['crates/b/Cargo.toml', '[[test]]'],
    ['Makefile', 'test: ; npm test'],
    ['conftest.py', 'def client(): return Client()'],
    ['vite.config.ts', '  server: { port: 80 },'],
    ['vitest.config.ts', '// to come'],
  ])('is no new file that says nothing of the tests before it: %s', (file, line) => {
    const found = testTampering(diffOf({ from: null, to: file, lines: [`+${line}`] }));
    expect([found.newRunnerFiles, found.runnerFiles]).toEqual([[], []]);
  });

  it.each([
    ['kept.ini', 'pytest.ini', ['pytest.ini']],
    ['jest.config.js', 'old/jest.js', ['old/jest.js']],
    ['helper.py', 'conftest.py', ['conftest.py']],
    ['conftest.py', 'tests/conftest.py', []],
    ['a.py', 'b.py', []],
  ])('is the new name of a file: %s to %s', (from, to, found) => {
    expect(testTampering(diffOf({ from, to, lines: [] })).runnerFiles).toEqual(found);
  });
});
