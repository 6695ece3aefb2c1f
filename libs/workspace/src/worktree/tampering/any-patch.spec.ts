import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorktreeDiff } from '../worktree.port.js';
import { changed, diffOf, SKIP } from './patch.fixture.js';
import { readPatch } from '#kernel';
import { hasTampered, testTampering } from './test-tampering.js';

const names = (diff: WorktreeDiff): string[] => testTampering(diff).removedTests.map(({ name }) => name);

describe('whatever the diff', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/);
  const block = (one: string): string[] => [`it('${one}', () => {`, `  expect(of('${one}')).toBe(1);`, '});'];

  it('reports exactly the tests that are gone, however the others are moved about', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 8 }),
        fc.integer({ min: 0, max: 255 }),
        fc.boolean(),
        (all, mask, isMoved) => {
          const kept = all.filter((_, nth) => (mask >> nth) % 2 === 0);
          const gone = all.filter((one) => !kept.includes(one));
          const before = all.flatMap(block).map((line) => `-${line}`);
          const after = kept
            .toReversed()
            .flatMap(block)
            .map((line) => `+${line}`);
          const diff = isMoved
            ? diffOf({ from: 'a.spec.ts', to: null, lines: before }, { from: null, to: 'b.spec.ts', lines: after })
            : diffOf(changed('a.spec.ts', ...before, ...after));
          // Put in one stretch, whole tests that replace whole tests are not taken for renamed ones.
          expect(names(diff).sort()).toEqual(gone.sort());
        },
      ),
    );
  });

  it('finds nothing in a diff that only adds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name), (all) => {
        const diff = diffOf({ from: null, to: 'a.spec.ts', lines: all.flatMap(block).map((line) => `+${line}`) });
        expect(hasTampered(testTampering(diff))).toBe(false);
      }),
    );
  });

  it('reads any text, cut anywhere, without failing', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '@@ -1,3 +1,2 @@',
        '--- a/x.py',
        '+++ /dev/null',
        'diff --git a/a b/a',
        '-def test_x():',
        '\\ No newline',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, cut) => {
        const patch = lines.join('\n').slice(0, cut);
        expect(testTampering({ files: [], patch, isCut: true }).isComplete).toBe(false);
      }),
    );
  });

  /** Each is long, and nearly what a pattern looks for. */
  const NEARLY = [
    ' ', '\t', '] ', ') ', ']) ', 'it.', '.it', 'it.a(', 'it(', "it('", '(', 'await ', 'test ', 'x.should', ';', '; ', '};',
    '} ) ', 'def ', 'class Test', '@a ', '@a(', '@a() ', 'public ', 'a ', 'fun `', '#[', '#[a::', 'a::', 'pub ', 'cfg_attr(',
    '"test" ', '"a": "', '"a" ', ': "', '"', 'expect ', 'assert ', 'assert.', 'skip: ', '{ ', 't.Run(', '// ', '--',
    '/*', ' /* ', '*/', '* ', ' /**/', '*/ ', '"""', "'''", '"', "'", '`', '\\"', "\\'", "'\"", '#[cfg(', 'parametrize(', ', [ ', 'mark.',
    '@a.', '.skip(', 'if ( ', "it['", 'it.each( [', 'exclude ', 'mod ',
  ]; // prettier-ignore

  it.each([
    'a.spec.ts',
    'test_a.py',
    'a_test.go',
    'src/lib.rs',
    'ATest.java',
    'package.json',
    'tox.ini',
    'pom.xml',
    'vite.config.ts',
  ])('takes no longer than the lines are long: %s', (file) => {
    const long = NEARLY.flatMap((piece) =>
      ['', 'it', '#[', "it('a', () => {;", 'await'].map((begin) =>
        `${begin}${piece.repeat(19_990 / piece.length)}x`.slice(0, 19_998),
      ),
    );
    // Of this thread alone: the machine may be busy. A pattern that is not linear is far above.
    const since = process.threadCpuUsage();
    const found = testTampering(diffOf(changed(file, ...long.flatMap((line) => [`-${line}`, `+${line}!`]))));
    expect(process.threadCpuUsage(since).user).toBeLessThan(3_000_000);
    expect(found.unread).toEqual([]);
  });

  it('knows the name of a file without a hunk, whatever it is called', () => {
    for (const name of ['a b/a b/x.spec.ts', 'a.spec.ts']) {
      expect(readPatch(`diff --git a/${name} b/${name}\n`)).toMatchObject([{ from: name, to: name }]);
    }
    expect(readPatch('diff --git "a/t\\303\\274r" "b/t\\303\\274r"\n')).toMatchObject([{ from: 'tür', to: 'tür' }]);
  });

  it('says which files have lines too long to be looked at', () => {
    const line = `/*${' '.repeat(20_000)}*/ it.${SKIP}('a', () => {});`;
    expect(testTampering(diffOf(changed('a.spec.ts', `+${line}`))).unread).toEqual(['a.spec.ts']);
    expect(testTampering(diffOf(changed('a.spec.ts', ` ${line}`, '+ok()'))).unread).toEqual([]);
    expect(testTampering(diffOf(changed('data.ts', `+${line}`))).unread).toEqual([]);
  });

  it('takes a line of text that looks like the head of a file for a line of text', () => {
    const lines = ['--- a/b.spec.ts', '+++ b/b.spec.ts', "-it('adds', () => {"];
    expect(testTampering(diffOf(changed('a.spec.ts', ...lines))).removedTests).toEqual([
      { file: 'a.spec.ts', name: 'adds' },
    ]);
  });

  it('reads names that git quotes', () => {
    const patch =
      'diff --git "a/t\\303\\274r\\n.spec.ts" "b/t\\303\\274r\\n.spec.ts"\n--- "a/t\\303\\274r\\n.spec.ts"\n+++ "b/t\\303\\274r\\n.spec.ts"\n@@ -1 +0,0 @@\n-it(\'a\', () => {\n';
    expect(testTampering({ files: [], patch, isCut: false }).removedTests).toEqual([
      { file: 'tür\n.spec.ts', name: 'a' },
    ]);
  });
});
