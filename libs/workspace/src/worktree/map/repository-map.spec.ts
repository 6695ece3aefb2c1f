import { describe, expect, it } from 'vitest';
import { chooseFiles, type MapInput, renderMap } from './repository-map.js';

const render = (paths: readonly string[], texts: Readonly<Record<string, string>> = {}, more: Partial<MapInput> = {}) =>
  renderMap({ paths, texts: new Map(Object.entries(texts)), isCut: false, ...more });

const many = (count: number, path: (nth: number) => string): string[] =>
  Array.from({ length: count }, (_, nth) => path(nth));

describe('renderMap', () => {
  it('shows project, folders, sources with names, tests and other files in this order', () => {
    const texts = {
      'package.json':
        '{"name":"shop","description":"Sells things.","main":"src/index.js","scripts":{"test":"node --test"}}',
      'packages/a/package.json': '{"name":"@shop/a"}',
      'src/index.js': 'export { sum } from "./sum.js";',
      'src/sum.js': 'export function sum() {}\nexport const ZERO = 0;',
    };
    const paths = [...Object.keys(texts), 'README.md', 'src/script.js', 'test/sum.test.js', 'dist/a.js', 'docs/a.md'];
    expect(render(paths, texts)).toBe(
      [
        'PROJECT',
        'package.json: shop - Sells things.',
        'main: src/index.js',
        'script test: node --test',
        'packages/a/package.json: @shop/a',
        '',
        'FOLDERS (with the number of files)',
        '9 files, 2 of them in the root',
        'dist/ 1 (vendored or generated, not listed)',
        'docs/ 1',
        'packages/ 1',
        '  a/ 1',
        'src/ 3',
        'test/ 1',
        '',
        'SOURCE FILES (with the names they export)',
        'src/index.js: sum',
        'src/script.js',
        'src/sum.js: sum, ZERO',
        '',
        'TESTS',
        'test/sum.test.js',
        '',
        'OTHER FILES',
        'README.md',
        'package.json',
        'packages/a/package.json',
        'docs/a.md',
      ].join('\n'),
    );
  });

  it('says if the repository has no files', () => {
    expect(render([])).toBe('The repository has no files.');
  });

  it('stays within 12,000 characters and keeps room for each section', () => {
    const paths = [
      ...many(5_000, (nth) => `packages/p${String(nth % 300)}/src/module-${String(nth)}.ts`),
      ...many(5_000, (nth) => `packages/p${String(nth % 300)}/src/module-${String(nth)}.spec.ts`),
      ...many(5_000, (nth) => `docs/page-${String(nth)}.md`),
      ...many(5_000, (nth) => `node_modules/m${String(nth)}/index.js`),
      'package.json',
    ];
    const scripts = Object.fromEntries(
      many(100, (nth) => `script-${String(nth)}`).map((name) => [name, 'x'.repeat(200)]),
    );
    const text = render(paths, { 'package.json': JSON.stringify({ name: 'big', scripts }) });
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(text.length).toBeGreaterThan(11_000);
    expect(text).toMatch(/^PROJECT\npackage.json: big\n/);
    expect(text).toContain('\nnode_modules/ 5000 (vendored or generated, not listed)\n');
    expect(text).toMatch(/SOURCE FILES.*\n(?:packages\/p\d+\/src\/module-\d+\.ts\n){40,}… \d+ more\n\nTESTS\n/);
    expect(text).toMatch(/\nTESTS\n(?:packages\/.*\.spec\.ts\n){10,}… \d+ more\n\nOTHER FILES\npackage\.json\ndocs\//);
    expect(text).toMatch(/… \d+ more$/);
  });

  it('shows as many levels of folders as fit, and counts all files below', () => {
    const paths = many(400, (nth) => `a/b${String(nth % 20)}/c${String(nth)}/d.txt`);
    const text = render(paths);
    expect(text).toContain('\na/ 400\n  b0/ 20\n  b1/ 20\n');
    expect(text).not.toContain('    c0/');
  });

  it('cuts the folders if the root alone has too many', () => {
    const text = render(many(3_000, (nth) => `folder-${String(nth)}/a.txt`));
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(text).toMatch(/\n… \d+ more folders\n/);
  });

  it('says if not all files were listed', () => {
    expect(render(['a.txt'], {}, { isCut: true })).toContain('more than 1 files, 1 of them in the root');
  });

  it('is one line for each file, whatever its path and its names are', () => {
    const odd = [
      'a\nSOURCE FILES\n\u001b[2J.js',
      `${'x'.repeat(3_000)}.js`,
      `${'d/'.repeat(2_000)}deep.js`,
      '\u202Eb.js',
    ];
    const names = many(200, (nth) => `export const name${String(nth)} = 1;`).join('\n');
    const text = render(odd, Object.fromEntries(odd.map((path) => [path, names])));
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text.match(/^SOURCE FILES/gm)).toHaveLength(1);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(300);
  });

  it('does not fail on binary content', () => {
    const binary = String.fromCharCode(...many(256, String).map(Number));
    expect(render(['a.js', 'package.json'], { 'a.js': binary, 'package.json': binary })).toContain('\na.js\n');
  });
});

describe('chooseFiles', () => {
  it('chooses conventions, manifests and the sources nearest to the root', () => {
    const paths = [
      'b/c/d.ts',
      'b/c.ts',
      'a.ts',
      'a.spec.ts',
      'README.md',
      'b/go.mod',
      'AGENTS.md',
      'vendor/x.go',
      'vendor/y/go.mod',
    ];
    expect(chooseFiles(paths)).toEqual({
      conventions: ['AGENTS.md'],
      manifests: ['b/go.mod'],
      sources: ['a.ts', 'b/c.ts', 'b/c/d.ts'],
    });
  });

  it('chooses at most 40 manifests and 600 candidates for sources', () => {
    const chosen = chooseFiles([
      ...many(900, (nth) => `a${String(nth)}.ts`),
      ...many(90, (nth) => `${String(nth)}/package.json`),
    ]);
    expect([chosen.sources.length, chosen.manifests.length]).toEqual([600, 40]);
  });
});
