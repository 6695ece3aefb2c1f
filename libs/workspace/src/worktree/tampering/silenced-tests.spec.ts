import { describe, expect, it } from 'vitest';
import { changed, diffOf } from './patch.fixture.js';
import { testTampering } from './test-tampering.js';

const HEAD = " test('adds', () => {";
const CHECK = '   assert.equal(add(1, 2), 3);';
const silenced = (file: string, ...lines: string[]): readonly string[] =>
  testTampering(diffOf(changed(file, ...lines))).skippedTests.map(({ line }) => line);

describe('a test that runs and says nothing', () => {
  it.each([
    ['returns at once', 'a.test.mjs', [HEAD, '+  return;', CHECK, ' });']],
    ['returns at once behind a comment', 'a.test.mjs', [HEAD, '+  // for now', '+  return', CHECK, ' });']],
    ['is one line', 'a.test.mjs', ["+test('adds', () => { return; assert.equal(add(1, 2), 3); });"]],
    ['is of python', 'tests/test_a.py', [' def test_adds():', '+    return', '     assert add(1, 2) == 3']],
    ['is of go', 'a_test.go', [' func TestAdds(t *testing.T) {', '+\treturn', ' \tt.Fatal("no")']],
    ['ends the process', 'a.test.mjs', ['+process.exit(0);', HEAD]],
    ['ends python', 'tests/test_a.py', ['+os._exit(0)', ' def test_adds():']],
  ])('is found where it %s', (_, file, lines) => {
    expect(silenced(file, ...lines)).toHaveLength(1);
  });

  it('is found where its failure is caught', () => {
    expect(silenced('a.test.mjs', HEAD, '+  try {', CHECK, '+  } catch {}', ' });')).toEqual(['} catch {}']);
    const indented = [HEAD, '+  try {', `-${CHECK.slice(1)}`, `+  ${CHECK.slice(1)}`, '+  } catch (error) {', '+  }'];
    expect(silenced('a.test.mjs', ...indented)).toEqual(['} catch (error) {']);
    const line = "test('adds', () => { try { assert.equal(add(1, 2), 3); } catch {} });";
    expect(silenced('a.test.mjs', "-test('adds', () => assert.equal(add(1, 2), 3));", `+${line}`)).toContain(line);
    const python = [' def test_adds():', '+    try:', '         assert add(1, 2) == 3', '+    except Exception:', '+        pass']; // prettier-ignore
    expect(silenced('tests/test_a.py', ...python)).toEqual(['except Exception:']);
  });

  it('is found where its assertions are the repository’s own now', () => {
    const own = "import assert from './assert.mjs';";
    expect(silenced('a.test.mjs', "-import assert from 'node:assert/strict';", `+${own}`)).toEqual([own]);
    const required = "const { expect } = require('../expect');";
    expect(silenced('a.test.js', "-const { expect } = require('chai');", `+${required}`)).toEqual([required]);
  });

  it.each([
    ['a return further down', 'a.test.mjs', [HEAD, CHECK, '+  return;', ' });']],
    ['a return that was there', 'a.test.mjs', [HEAD, '-    return;', '+  return;', ' });']],
    ['a return with something', 'a.test.mjs', [HEAD, '+  return check();', ' });']],
    ['a return in code', 'a.mjs', [' it("x", () => {', '+  return;']],
    ['a script that ends', 'a.test.mjs', [HEAD, '+  run("node -e process.exit(1)");']],
    ['a new test of what is thrown', 'a.test.mjs', ['+  try {', '+    assert.equal(1, add());', '+  } catch {}']],
    ['assertions that are taken care of in the end', 'a.test.mjs', [HEAD, '+  try {', CHECK, '+  } finally {']],
    ['what go does with the result', 'a_test.go', [' func TestMain(m *testing.M) {', '+\tos.Exit(m.Run())']],
    ['another package', 'a.test.mjs', ["-import assert from 'assert';", "+import { expect } from 'vitest';"]],
    ['a helper', 'a.test.mjs', ["-import { test } from 'node:test';", "+import { make } from './make.mjs';"]],
  ])('is not %s', (_, file, lines) => {
    expect(silenced(file, ...lines)).toEqual([]);
  });
});
