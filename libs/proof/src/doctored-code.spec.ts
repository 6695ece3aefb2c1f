import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDoctoredCode } from './doctored-code.js';

const isTest = (path: string): boolean => path.startsWith('test/') || path.includes('.test.') || path.includes('test_');

const patchOf = (file: string, added: readonly string[], removed: readonly string[] = []): string =>
  [
    `diff --git a/${file} b/${file}`,
    `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -1,${String(removed.length)} +1,${String(added.length)} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n');

const find = (file: string, ...added: readonly string[]) => findDoctoredCode(patchOf(file, added), isTest);

describe('findDoctoredCode', () => {
  it('reports files in the folder of checks, tests or not, and code that asks for that folder', () => {
    expect(find('.qralph-checks/conftest.py', 'x = 1')).toMatchObject([{ file: '.qralph-checks/conftest.py' }]);
    expect(find('.qralph-checks/a.test.js', 'x();')).toHaveLength(1);
    expect(find('src/a.js', "if (process.argv[1].includes('.qralph-checks')) return 3;")).toHaveLength(1);
    expect(find('.gitignore', '.qralph-checks/')).toEqual([]);
  });

  it('says by which names a request may ask for code that looks at the environment', () => {
    expect(find('src/a.js', "if (process.env.NODE_ENV === 'test') return;")).toMatchObject([
      { names: ['NODE_ENV', 'test', 'tests'] },
    ]);
    expect(find('src/a.js', 'if (process.env.CI) return;')).toMatchObject([{ names: ['CI'] }]);
    expect(find('src/a.js', 'const db = process.env.JEST_WORKER_ID;')[0]?.names).toContain('JEST_WORKER_ID');
    expect(find('src/a.js', 'expect.extend({ toBeIso });')[0]?.names).toContain('matchers');
    expect(find('src/a.js', 'if (process.env.VITEST) return;')[0]?.names).toBeUndefined();
  });

  it('lets a file that sets a runner up add matchers', () => {
    expect(find('vitest.setup.ts', 'expect.extend(matchers);')).toEqual([]);
    expect(find('config/jest.setup.js', 'expect.extend(matchers);')).toEqual([]);
    expect(find('src/setup.ts', 'expect.extend(matchers);')).toHaveLength(1);
    expect(find('vitest.setup.ts', 'expect.prototype = 1; assert.equal = noop;')).toHaveLength(1);
  });

  it('lets code read installed dependencies, and write to their cache', () => {
    expect(find('package.json', '"build": "tsc > log && patch-package && cp node_modules/a/b.css dist",')).toEqual([]);
    expect(find('scripts/a.js', "writeFileSync('dist/a.js', readFileSync('node_modules/a/a.js'));")).toEqual([]);
    expect(find('scripts/a.js', "writeFileSync('node_modules/.cache/a.json', text);")).toEqual([]);
  });

  it.each([
    ['src/a.js', 'assert.equal = () => {};'],
    ['src/a.js', "assert['deepEqual'] = () => {};"],
    ['src/a.js', 'assert.strict.equal = noop;'],
    ['scripts/fix.js', "writeFileSync('node_modules/chai/index.js', 'module.exports = {}');"],
    ['package.json', '"postinstall": "sed -i s/throw/void/ node_modules/chai/index.js",'],
    ['src/a.js', "require('node:assert').strictEqual = () => {};"],
    ['src/a.js', 'Object.assign(assert, { equal() {} });'],
    ['src/a.js', "Object.defineProperty(assert, 'ok', { value() {} });"],
    ['src/a.ts', 'expect.extend({ toBe: () => ({ pass: true }) });'],
    ['src/a.js', 'globalThis.it = () => {};'],
    ['src/a.js', 'global.expect = fake;'],
    ['src/a.js', "if (process.env.NODE_TEST_CONTEXT) return 'right';"],
    ['src/a.js', 'const fast = Boolean(process.env.VITEST);'],
    ['src/a.js', "if ('JEST_WORKER_ID' in process.env) {"],
    ['src/a.js', "if (process.env.NODE_ENV === 'test') return 3;"],
    ['src/a.js', "if ('test' === process.env['NODE_ENV']) return 3;"],
    ['src/a.js', 'if (process.env.CI) return 3;'],
    ['src/a.js', "if (process.execArgv.includes('--test')) return 3;"],
    ['src/a.js', "if (typeof describe === 'function') return 3;"],
    ['src/a.js', 'if (/test/.test(require.main ? require.main.filename : "")) return 3;'],
    ['src/a.js', "if (process.argv[1].endsWith('.test.js')) return 3;"],
    ['src/a.js', "if (module.parent.filename.includes('/test/')) return 3;"],
    ['src/a.js', "if (process.env.npm_lifecycle_event === 'test') return 3;"],
    ['src/a.js', "if (new Error().stack.includes('.test.')) return 3;"],
    ['src/a.js', "process.on('exit', () => { process.exitCode = 0; });"],
    ['src/a.js', 'process.exit = () => {};'],
    ['src/a.js', 'expect = () => ({ toBe() {}, toEqual() {} });'],
    ['src/a.js', 'if (x) { describe = noop; }'],
    ['src/a.js', 'assert = { equal() {} };'],
    ['src/a.js', 'x(); test = (name) => name;'],
    ['src/a.js', 'try { describe; x = 1; } catch { x = 2; }'],
    ['src/a.js', 'return { asymmetricMatch: () => true };'],
    ['src/a.js', "x.$$typeof = Symbol.for('jest.asymmetricMatcher');"],
    ['src/a.js', "/**/ require('node:assert').equal = noop;"],
    ['src/a.js', '// note\u2028require("node:assert").equal = noop;'],
    ['src/a.js', '// note\rassert.equal = noop;'],
    ['src/a.js', '#p = process.env.VITEST;'],
    ['src/A.java', 'public boolean equals(Object other) { return true; }'],
    ['src/A.kt', 'override fun equals(other: Any?) = true'],
    ['src/A.scala', 'override def equals(other: Any): Boolean = true'],
    ['src/A.cs', 'public override bool Equals(object other) => true;'],
    ['src/a.rs', 'fn eq(&self, _: &Self) -> bool { true }'],
    ['src/a.swift', 'static func == (a: A, b: A) -> Bool { return true }'],
    ['src/a.cpp', 'bool operator==(const A& other) const { return true; }'],
    ['a.rb', 'def ==(other) true end'],
    ['pkg/a.py', 'def __contains__(self, item): return True'],
    ['pkg/a.py', "if os.environ.get('PYTEST_CURRENT_TEST'):"],
    ['pkg/a.py', "if 'pytest' in sys.modules:"],
    ['pkg/a.py', 'unittest.TestCase.assertEqual = lambda *a: None'],
    ['pkg/a.py', "sys.modules['pytest'] = fake"],
    ['pkg/a.py', 'import _pytest.assertion'],
    ['pkg/a.py', 'atexit.register(lambda: os._exit(0))'],
    ['a.go', 'if testing.Testing() {'],
    ['a.go', 'if flag.Lookup("test.v") != nil {'],
    ['src/lib.rs', 'if cfg!(test) { return 3; }'],
  ])('finds in %s: %s', (file, line) => {
    expect(find(file, line)).toMatchObject([{ file, line: line.trim(), why: expect.stringMatching(/\.$/) as string }]);
  });

  it.each([
    ['src/a.js', "var compare = require('node:assert');", 'compare.equal = function () {};'],
    ['src/a.js', "const { strict: is } = require('assert');", 'is.equal = noop;'],
    ['src/a.mjs', "import same from 'node:assert/strict';", "same['deepEqual'] = noop;"],
    ['src/a.mjs', "import * as same from 'node:assert';", 'Object.assign(same, { equal() {} });'],
    ['src/a.js', "const same = process.getBuiltinModule('assert');", 'for (const name in same) same[name] = noop;'],
    ['src/a.ts', "import { expect as want } from 'vitest';", 'want.extend = noop;'],
    ['pkg/a.py', 'import unittest as u', 'u.TestCase.assertEqual = lambda *a: None'],
    ['pkg/a.py', 'from unittest import TestCase as Case', "setattr(Case, 'assertEqual', print)"],
  ])('finds in %s a library under another name: %s %s', (file, binding, line) => {
    expect(find(file, binding, 'x();', line).map((one) => one.line)).toEqual([line]);
  });

  it('finds a library that another part of the file binds to a name', () => {
    const patch = [
      'diff --git a/a.js b/a.js',
      '--- a/a.js',
      '+++ b/a.js',
      '@@ -1,1 +1,1 @@',
      " const same = require('assert');",
      '@@ -40,0 +40,1 @@',
      '+same.equal = noop;',
      '',
    ].join('\n');
    expect(findDoctoredCode(patch, isTest).map(({ line }) => line)).toEqual(['same.equal = noop;']);
  });

  it('accepts a library under another name that is only used', () => {
    const uses = ['same.equal(a, b);', 'if (same.equal === other) {', 'const x = same.equal;', 'sameness.x = 1;'];
    expect(find('src/a.js', "const same = require('assert');", ...uses)).toEqual([]);
  });

  it('finds an exit handler over several lines', () => {
    const found = find('src/a.js', "process.on('exit', () => {", '  flush();', '  process.exitCode = 0;', '});');
    expect(found.map(({ line }) => line)).toEqual(['process.exitCode = 0;']);
  });

  it('finds an equality that always holds', () => {
    expect(find('pkg/a.py', 'def __eq__(self, other):', '    return True').map(({ line }) => line)).toEqual([
      'return True',
    ]);
  });

  it.each([
    ['product.js', ['const x = 1', '  * (assert.equal = noop);']],
    ['a.py', ['def __contains__(self, item):', '    return True']],
    ['src/A.java', ['public boolean equals(Object other) {', '    return true;']],
    ['src/A.cs', ['public override bool Equals(object other)', '{', '    return true;']],
    ['src/a.rs', ['fn eq(&self, _: &Self) -> bool {', '    true']],
    ['a.rb', ['def ==(other)', '  true']],
    ['crlf.py', ['def __eq__(self, other):\r', '    return True\r']],
  ])('finds code over several lines in %s', (file, lines) => {
    expect(find(file, ...lines).map(({ line }) => line)).toEqual([lines.at(-1)?.trim()]);
  });

  it.each([
    ['a test', 'test/a.test.mjs', 'assert.equal = () => {};'],
    ['a document', 'README.md', 'Set `process.env.CI` and NODE_TEST_CONTEXT.'],
    ['a comment', 'src/a.js', '// VITEST is not read here: process.env.VITEST'],
    ['a comment of Python', 'pkg/a.py', "# 'pytest' in sys.modules"],
    ['a workflow', '.github/workflows/ci.yml', "if: env.CI == 'true'"],
    ['a configuration of a tool', 'playwright.config.ts', 'retries: process.env.CI ? 2 : 0,'],
    ['a configuration of Babel', 'babel.config.js', "if (process.env.NODE_ENV === 'test') {}"],
    ['an import of assert', 'src/a.js', "import assert from 'node:assert';"],
    ['a use of assert', 'src/a.js', 'assert.equal(total, 3);'],
    ['a comparison', 'src/a.js', 'if (assert.strict === other) {'],
    ['a variable called assert', 'src/a.js', "const assert = require('assert');"],
    ['an ordinary exit', 'src/cli.js', 'process.exitCode = 1;'],
    ['an ordinary success', 'src/cli.js', 'process.exitCode = 0;'],
    ['another environment', 'src/a.js', "if (process.env.NODE_ENV === 'production') {}"],
    ['a longer name', 'src/a.js', 'const url = process.env.CI_URL;'],
    ['a function called test', 'src/a.js', 'const test = (value) => /x/.test(value);'],
    ['an object with a test', 'src/a.js', 'rules.test = /x/;'],
    ['an ordinary equality', 'pkg/a.py', 'return self.x == other.x'],
    ['an ordinary truth', 'pkg/a.py', '    return True'],
    ['an expectation that is a parameter', 'src/a.js', 'const check = (expect) => expect(1);'],
    ['a variable called it', 'src/a.js', 'it = items[Symbol.iterator]();'],
    ['a pattern called test', 'src/a.js', 'test = /x/;'],
    ['an old import of assert', 'src/a.js', "    assert = require('assert'),"],
    ['an old import of expect', 'src/a.js', '    expect = chai.expect;'],
    ['an equality of Java', 'src/A.java', 'public boolean equals(Object o) { return id == ((A) o).id; }'],
    ['an equality of Java in part', 'src/A.java', 'if (this == o) return true;'],
    ['an equality of Rust', 'src/a.rs', 'fn eq(&self, other: &Self) -> bool { self.id == other.id }'],
    ['a comment in a block', 'src/a.js', ' * process.env.VITEST is not read here'],
    ['a test module of Rust', 'src/lib.rs', '#[cfg(test)]'],
    ['a global', 'src/a.js', 'globalThis.settings = {};'],
    ['a handler', 'src/a.js', "process.on('exit', () => { server.close(); });"],
    ['a text', 'src/a.js', "const help = 'Runs in CI';"],
    ['a main module', 'src/a.js', 'if (require.main === module) main();'],
    ['a pattern for an argument', 'src/a.js', 'if (/^--/.test(process.argv[1])) help();'],
    ['a command called test', 'src/cli.js', "if (process.argv[2] === 'test') runTests();"],
    ['a script name in a tool', 'webpack.config.js', "const isDev = process.env.npm_lifecycle_event === 'dev';"],
    ['a runner in a manifest', 'package.json', '"test": "CI=1 vitest run"'],
  ])('accepts %s', (_, file, line) => {
    expect(find(file, line)).toEqual([]);
  });

  it('accepts a line that was there before and only moved', () => {
    const line = "if (process.env.NODE_ENV === 'test') return 3;";
    expect(findDoctoredCode(patchOf('src/a.js', [`  ${line}`], [line]), isTest)).toEqual([]);
  });

  it('accepts a line that the patch removes', () => {
    expect(findDoctoredCode(patchOf('src/a.js', [], ['assert.equal = () => {};']), isTest)).toEqual([]);
  });

  it('reads long lines quickly, and to their end', () => {
    const since = performance.now();
    for (const piece of [
      'assert.a',
      "process.on('exit',",
      'NODE_ENV ',
      '__eq__ ',
      'stack includes(',
      "'test' ",
      'execArgv ',
      'argv[1] ',
      "test'",
      "const a = require('assert')",
      'a.',
      'expect =',
      'try { it',
      'it = (',
      ' ',
      '/* */',
      '; ',
    ]) {
      find('src/a.js', piece.repeat(20_000 / piece.length));
      find('pkg/a.py', piece.repeat(20_000 / piece.length));
      find('src/A.java', 'boolean equals(Object o) {', `${piece.repeat(20_000 / piece.length)}x`);
    }
    expect(performance.now() - since).toBeLessThan(3_000);
    expect(find('src/a.js', `${'x;'.repeat(5_000)}assert.equal = noop;`)).toHaveLength(1);
  });

  it('reads any patch, and finds at least what it found in a shorter one', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        const added = lines.map((line) => line.replaceAll(/[\n\r]/g, ' '));
        const patch = patchOf('src/a.js', ['assert.equal = noop;', ...added]);
        expect(findDoctoredCode(patch, isTest).length).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
