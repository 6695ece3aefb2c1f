import { describe, expect, it } from 'vitest';
import { describeManifest, isManifest, summarizeManifest } from './manifests.js';

const json = (value: object): string => JSON.stringify(value);

describe('describeManifest', () => {
  it('lists name, description, scripts and entry points of package.json', () => {
    const text = json({
      name: 'shop',
      description: 'Sells things.',
      type: 'module',
      main: './index.js',
      bin: { shop: './bin/shop.js' },
      exports: { '.': { import: './index.js', require: './index.cjs' }, './cart': './cart.js', './x': null },
      workspaces: ['packages/*'],
      scripts: { test: 'node --test', build: 'tsc\n-p .' },
    });
    expect(describeManifest('package.json', text)).toEqual([
      'package.json: shop - Sells things.',
      'type: module',
      'main: ./index.js',
      'bin shop: ./bin/shop.js',
      'exports .: ./index.js, ./index.cjs',
      'exports ./cart: ./cart.js',
      'workspaces: packages/*',
      'script test: node --test',
      'script build: tsc -p .',
    ]);
  });

  it('puts the script test first', () => {
    const text = json({ scripts: { a: 'x', test: 'y', z: 'z' } });
    expect(describeManifest('package.json', text).slice(1)).toEqual(['script test: y', 'script a: x', 'script z: z']);
  });

  it('lists a single entry point, a bin without a name and workspaces as an object', () => {
    const text = json({ name: 'a', bin: './a.js', exports: './b.js', workspaces: { packages: ['p/*'] } });
    expect(describeManifest('package.json', text)).toEqual([
      'package.json: a',
      'bin: ./a.js',
      'exports: ./b.js',
      'workspaces: p/*',
    ]);
  });

  it.each([
    ['no JSON', '{ "name": '],
    ['no object', '[1, "x"]'],
    ['null', 'null'],
    ['a text', '"x"'],
  ])('does not fail if package.json is %s', (_what, text) => {
    expect(describeManifest('package.json', text)).toEqual(['package.json: not a JSON object']);
  });

  it('ignores fields of the wrong type', () => {
    const text = json({
      name: 1,
      description: [],
      main: {},
      bin: [1],
      exports: { '.': [{ a: 1 }] },
      scripts: 'x',
      type: null,
    });
    expect(describeManifest('package.json', text)).toEqual(['package.json']);
  });

  it('bounds deep exports, many scripts and long lines', () => {
    const scripts = Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`s${String(nth)}`, 'x'.repeat(1_000)]));
    const lines = describeManifest('package.json', json({ scripts }));
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(240);
    const deep = `{"exports":${'{"a":'.repeat(5_000)}"x"${'}'.repeat(5_000)}}`;
    expect(describeManifest('package.json', deep)).toEqual(['package.json']);
  });
});

describe('summarizeManifest', () => {
  it.each([
    ['package.json', json({ name: '@a/b', description: 'B.' }), 'package.json: @a/b - B.'],
    ['packages/b/package.json', json({}), 'packages/b/package.json'],
    ['pyproject.toml', '[build-system]\nname = "no"\n[project] # x\nname = "shop"\n', 'pyproject.toml: shop'],
    ['pyproject.toml', "[tool.poetry]\nname='shop'", 'pyproject.toml: shop'],
    ['setup.cfg', '[metadata]\nname = shop\n', 'setup.cfg: shop'],
    ['go.mod', '// x\nmodule example.com/shop\n\ngo 1.22\n', 'go.mod: example.com/shop'],
    ['Cargo.toml', '[package]\nversion = "1"\nname = "shop"\n', 'Cargo.toml: shop'],
    ['Cargo.toml', '[workspace]\nmembers = []\n', 'Cargo.toml'],
    [
      'pom.xml',
      '<project><parent><artifactId>p</artifactId></parent>\n<artifactId> shop </artifactId>',
      'pom.xml: shop',
    ],
    ['pom.xml', '<project><parent><artifactId>p</artifactId>', 'pom.xml'],
  ])('names the project of %s', (path, text, line) => {
    expect(summarizeManifest(path, text)).toBe(line);
  });

  it('is quick for hostile text', () => {
    const started = performance.now();
    for (const part of ['<parent>', '<artifactId>', '[', '[project]\n', 'name = "', ' ', '\n'])
      for (const path of ['pom.xml', 'pyproject.toml', 'setup.cfg', 'go.mod', 'package.json'])
        summarizeManifest(path, part.repeat(Math.ceil(256_000 / part.length)));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('isManifest', () => {
  it('knows manifests by name in any folder', () => {
    expect(['package.json', 'a/b/go.mod', 'pom.xml'].every(isManifest)).toBe(true);
    expect(['my-package.json', 'package.json/x', 'Cargo.lock'].some(isManifest)).toBe(false);
  });
});
