import { describe, expect, it } from 'vitest';
import { isTestConfiguration } from './dialects.js';
import { testNamesIn } from './test-names.js';

describe('testNamesIn', () => {
  it.each([
    [
      'a.test.mjs',
      "import x from 'y';\ntest('adds', () => {});\n  it('subtracts', () => {});\n",
      ['adds', 'subtracts'],
    ],
    ['test_a.py', 'import x\n\ndef test_add():\n    assert x\n', ['test_add']],
    ['a_test.go', 'func TestAdd(t *testing.T) {\n}\n', ['TestAdd']],
    ['tests/it.rs', '#[test]\nfn adds() {\n}\n', ['adds']],
    ['src/test/java/ATest.java', '  @Test\n  void adds() {\n  }\n', ['adds']],
    ['test/helper.mjs', 'export const x = 1;', []],
    ['test/data.json', '{"test": "adds"}', []],
  ])('reads the names in %s', (path, source, names) => {
    expect(testNamesIn(path, source)).toEqual(names);
  });
});

describe('isTestConfiguration', () => {
  it.each([
    'vitest.config.ts',
    'packages/a/jest.config.js',
    '.mocharc.yml',
    'pytest.ini',
    'conftest.py',
    'package.json',
  ])('accepts %s', (path) => {
    expect(isTestConfiguration(path)).toBe(true);
  });

  it.each(['src/index.ts', 'test/a.test.ts', 'README.md'])('refuses %s', (path) => {
    expect(isTestConfiguration(path)).toBe(false);
  });
});
