import { describe, expect, it } from 'vitest';
import { isDocumentFile, sortChangedFiles } from './changed-files.js';
import { fileOf } from './proof.fixture.js';

type Changed = ReturnType<typeof fileOf>;

const changed = (path: string): Changed => fileOf(path);
const added = (path: string): Changed => fileOf(path, 'added');
const deleted = (path: string): Changed => fileOf(path, 'deleted');
const renamed = (from: string, path: string): Changed => fileOf(path, 'renamed', from);
const sort = (...files: readonly Changed[]) => sortChangedFiles({ files });

describe('changed files', () => {
  it('are old tests if the base had them, whatever became of them', () => {
    const { oldTests, newTestFiles } = sort(
      changed('test/a.test.mjs'),
      deleted('test/b.test.mjs'),
      renamed('test/c.test.mjs', 'src/c.mjs'),
      added('test/d.test.mjs'),
      changed('vitest.config.ts'),
    );
    expect(oldTests).toEqual(['test/a.test.mjs', 'test/b.test.mjs', 'test/c.test.mjs', 'vitest.config.ts']);
    expect(newTestFiles).toEqual(['test/d.test.mjs']);
  });

  it('are sources if they are neither tests, texts nor manifests; a renamed file counts with both names', () => {
    const { sources, manifests } = sort(
      changed('src/a.mjs'),
      renamed('src/old.mjs', 'src/new.mjs'),
      changed('README.md'),
      changed('package.json'),
      added('test/d.test.mjs'),
    );
    expect(sources).toEqual(['src/a.mjs', 'src/new.mjs', 'src/old.mjs']);
    expect(manifests).toEqual(['package.json']);
  });

  it.each([
    ['code', changed('src/a.mjs'), { touchesCode: true }],
    ['documents', changed('docs/guide.md'), { touchesDocuments: true }],
    ['tests', added('test/d.test.mjs'), { touchesTests: true }],
    ['manifests, which are code', changed('package.json'), { touchesManifests: true, touchesCode: true }],
  ])('touch %s', (_title, file, expected) => {
    const touched = { touchesCode: false, touchesTests: false, touchesDocuments: false, touchesManifests: false };
    expect(sort(file)).toMatchObject({ ...touched, ...expected });
  });

  it('touch no code if a manifest changes with tests only', () => {
    expect(sort(changed('package.json'), added('test/d.test.mjs'))).toMatchObject({
      ...{ touchesCode: false, touchesTests: true, touchesManifests: true },
    });
  });

  it('are new test configuration if the base has none of that name; a manifest is none', () => {
    const { newTestConfiguration } = sort(added('conftest.py'), added('pyproject.toml'), changed('vitest.config.ts'));
    expect(newTestConfiguration).toEqual(['conftest.py']);
  });

  it('are tests if they hold what tests expect, and no source and no new test file', () => {
    const data = [
      'test/expected.json',
      'src/__snapshots__/a.test.ts.snap',
      'pkg/testdata/golden.txt',
      'fixtures/expected.json',
    ];
    expect(sort(...data.map(changed))).toMatchObject({ oldTests: data, sources: [], touchesTests: true });
    expect(sort(...data.map(added))).toMatchObject({ oldTests: [], newTestFiles: [], sources: [] });
    expect(sort(changed('test/README.md'), changed('src/latest/a.json')).oldTests).toEqual([]);
  });

  it('are sources in a folder of documents if they are code', () => {
    const files = ['src/docs/parser.ts', 'docs/fraction.js', 'docs/a/b.py', 'docs/api.html', 'CMakeLists.txt'];
    const sources = ['src/docs/parser.ts', 'docs/fraction.js', 'docs/a/b.py', 'CMakeLists.txt'];
    expect(sort(...files.map(changed))).toMatchObject({ sources, touchesCode: true });
  });

  it('are documents if they are code of the tool that publishes the documents', () => {
    const files = ['docs/.vitepress/config.ts', 'docs/source/conf.py', 'docs/sidebars.js', 'docs/astro.config.mjs'];
    expect(sort(...files.map(changed))).toMatchObject({ sources: [], documents: files, touchesCode: false });
    expect(sort(...['src/docs/conf.py', 'docs/myconf.py', '.docs/a.js'].map(changed)).sources).toHaveLength(3);
  });

  it('touch nothing if there are none', () => {
    expect(Object.values(sort()).filter((value) => value === true)).toEqual([]);
  });
});

it('a document is a text, not a source file with a similar name', () => {
  const documents = ['README.md', 'docs/api.html', 'a/LICENSE', 'notes.txt', 'guide.rst'];
  expect(documents.every(isDocumentFile)).toBe(true);
  expect(['src/readme.ts', 'docs.mjs', 'src/license.js'].some(isDocumentFile)).toBe(false);
});
