import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedDependencies, changesOnlyDescription } from './package-description.js';

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const changes = (base: unknown, result: unknown, path = 'package.json'): boolean =>
  changesOnlyDescription(path, { base: json(base), result: json(result) });

const PACKAGE = { name: 'a', version: '1.0.0', scripts: { test: 'node --test' }, dependencies: { left: '1' } };
const DESCRIBING: readonly (readonly [string, unknown])[] = [
  ['version', '2.0.0'],
  ['description', 'More.'],
  ['engines', { node: '>=18' }],
  ['files', ['lib']],
  ['bin', { a: './a.js' }],
  ['exports', { '.': './a.js' }],
  ['keywords', ['a']],
];
const BEARING: readonly (readonly [string, unknown])[] = [
  ['scripts', { test: 'echo "# pass 1"' }],
  ['dependencies', { left: '2' }],
  ['devDependencies', { jest: '1' }],
  ['optionalDependencies', { left: '2' }],
  ['overrides', { left: '2' }],
  ['imports', { '#a': './b.js' }],
  ['type', 'module'],
  ['workspaces', ['packages/*']],
  ['jest', { testPathIgnorePatterns: ['price'] }],
  ['mocha', { require: './fake.js' }],
  ['packageManager', 'pnpm@9.0.0'],
  ['unknown', true],
];

describe('changesOnlyDescription: package.json', () => {
  it.each(DESCRIBING)('is true if %s changed', (key, value) => {
    expect(changes(PACKAGE, { ...PACKAGE, [key]: value })).toBe(true);
    expect(changes({ ...PACKAGE, [key]: value }, PACKAGE)).toBe(true);
    expect(changes(PACKAGE, { ...PACKAGE, [key]: value }, 'packages/a/package.json')).toBe(true);
  });

  it.each(BEARING)('is false if %s changed', (key, value) => {
    expect(changes(PACKAGE, { ...PACKAGE, [key]: value })).toBe(false);
    expect(changes({ ...PACKAGE, [key]: value }, PACKAGE)).toBe(false);
    expect(changes(PACKAGE, { ...PACKAGE, [key]: value, version: '2.0.0' })).toBe(false);
  });

  it('is true whatever the order of the fields is', () => {
    const { name, ...others } = PACKAGE;
    expect(changes(PACKAGE, { ...others, name })).toBe(true);
  });

  it('is false if a field changes that is not known, whatever else changes', () => {
    const known = new Set(DESCRIBING.map(([key]) => key));
    const describing = fc.dictionary(fc.constantFrom(...known), fc.string());
    const other = fc.string({ minLength: 1 }).map((key) => `x-${key}`);
    fc.assert(
      fc.property(describing, describing, other, fc.jsonValue(), (before, after, key, value) => {
        expect(changes(before, after)).toBe(true);
        expect(changes(before, { ...after, [key]: value })).toBe(false);
      }),
    );
  });
});

describe('changesOnlyDescription: package-lock.json', () => {
  const lock = (version: string, more: object = {}) => ({
    ...{ name: 'a', version, lockfileVersion: 3, requires: true },
    packages: { '': { name: 'a', version, engines: { node: `>=${version}` } }, 'node_modules/left': { version: '1' } },
    ...more,
  });
  const changesLock = (base: object, result: object): boolean => changes(base, result, 'package-lock.json');

  it('is true if it follows the description of the package', () => {
    expect(changesLock(lock('1'), lock('2'))).toBe(true);
  });

  it('is false if a dependency changed', () => {
    expect(changesLock(lock('1'), lock('2', { packages: { 'node_modules/left': { version: '2' } } }))).toBe(false);
    expect(changesLock(lock('1'), lock('1', { lockfileVersion: 2 }))).toBe(false);
    const root = { packages: { '': { dependencies: { left: '2' } }, 'node_modules/left': { version: '1' } } };
    expect(changesLock(lock('1'), lock('1', root))).toBe(false);
  });
});

describe('changesOnlyDescription: other files', () => {
  it.each(['.npmrc', 'pyproject.toml', 'yarn.lock', 'go.mod', 'package.json5'])('is false for %s', (path) => {
    expect(changesOnlyDescription(path, { base: '{}', result: '{"version":"1"}' })).toBe(false);
  });

  it.each(['', '{', '[]', 'null', '"x"'])('is false for a package.json that is %j', (text) => {
    expect(changesOnlyDescription('package.json', { base: text, result: '{}' })).toBe(false);
    expect(changesOnlyDescription('package.json', { base: '{}', result: text })).toBe(false);
  });

  it('is false for a package.json with half a character', () => {
    const text = String.raw`{"scripts":{"test":"\ud800"}}`;
    expect(changesOnlyDescription('package.json', { base: text, result: text })).toBe(false);
  });

  it('is false for a file that is new or gone', () => {
    expect(changesOnlyDescription('package.json', { base: null, result: '{}' })).toBe(false);
    expect(changesOnlyDescription('package.json', { base: '{}', result: null })).toBe(false);
  });
});

describe('changedDependencies', () => {
  const named = (base: unknown, result: unknown, path = 'package.json'): readonly string[] | null =>
    changedDependencies(path, { base: json(base), result: json(result) });

  it('are those that come, go or change, in any field for them', () => {
    const result = { ...PACKAGE, version: '2', dependencies: { right: '1' }, overrides: { deep: '2' } };
    expect(named(PACKAGE, result)).toEqual(['left', 'right', 'deep']);
    expect(named({ dependencies: { a: '1', b: '1' } }, { dependencies: { a: '2', b: '1' } })).toEqual(['a']);
  });

  it.each(BEARING.filter(([key]) => !/dependencies|overrides/i.test(key)))(
    'are unknown if %s changed',
    (key, value) => {
      expect(named(PACKAGE, { ...PACKAGE, dependencies: {}, [key]: value })).toBeNull();
    },
  );

  it('are none in a lock file', () => {
    expect(changedDependencies('a/yarn.lock', { base: 'left@1', result: null })).toEqual([]);
  });

  it('are the lines of a file of requirements, without comments', () => {
    const read = (base: string, result: string) => changedDependencies('requirements.txt', { base, result });
    expect(read('requests==2.0\npytest\n', '# new\nhttpx>=0.2\npytest\n')).toEqual(['requests', 'httpx']);
    expect(read('pytest\n', 'pytest\n--index-url https://example.org\n')).toBeNull();
  });

  it.each(['pyproject.toml', '.npmrc', 'go.mod'])('are unknown in %s', (path) => {
    expect(named({}, { a: 1 }, path)).toBeNull();
    expect(named([], {})).toBeNull();
  });
});
