import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { documentPath, isDocument } from './documents.js';
import { hollowDocument } from './hollow-document.js';

/** Half ones among them. The library's own takes seconds to be made. */
const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));

describe('a document is hollow', () => {
  it.each([
    ['', 'it is empty'],
    [' \n\t\n', 'it is empty'],
    ['# Report\n\n## Findings\n', 'it has headings and nothing below them'],
    ['Report\n======\n# x\n', 'it says next to nothing: 6 letters'],
    ['# Report\n\nTODO\n', 'it holds placeholders and nothing else'],
    ['# Report\n\n- TBD: the numbers\n- …\n\n[insert the summary here]', 'it holds placeholders and nothing else'],
    ['# Report\n\nLorem ipsum dolor sit amet, consectetur', 'it holds placeholders and nothing else'],
    ['# Report\n\nIt is done.\n', 'it says next to nothing: 8 letters'],
  ])('%j: %s', (text, why) => {
    expect(hollowDocument(text)).toBe(why);
  });

  it.each([
    '# Report\n\nThe toggle switches between two themes.\n',
    'name,price\nlight theme,10\ndark theme,12\n',
    '# Todo list\n\nAdd a button to the settings of the page.\nTODO\n',
    'これは設定画面の切り替えについての短い報告書です。二つのテーマがあります。',
  ])('and is not where it says something: %j', (text) => {
    expect(hollowDocument(text)).toBeNull();
  });

  it('or not, in little time, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const why = hollowDocument(text);
        expect(why === null || why !== '').toBe(true);
      }),
      { numRuns: 50 },
    );
    expect(cpuMs(() => hollowDocument('insert '.repeat(100_000)))).toBeLessThan(1_000);
  });
});

describe('the path of a document', () => {
  it.each([null, '', '/etc/passwd', '../x.md', 'a/../../x.md', 'a//b.md', '.git/config', '.GIT/hooks/x', '.qralph/x.md', 'a\\b.md', 'a\nb.md', 'x'.repeat(501)])('leads nowhere else: %j', (path) => {
    expect(documentPath(path)).toBeNull();
  }); // prettier-ignore

  it('is kept where it lies in the repository', () => {
    expect(documentPath(' ./docs/report.md ')).toBe('docs/report.md');
    expect([isDocument('docs/Report.MD'), isDocument('src/a.ts')]).toEqual([true, false]);
  });
});
