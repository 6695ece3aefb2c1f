import { describe, expect, it } from 'vitest';
import { isManifestOfTests } from './manifest-of-tests.js';

const json = (value: object): string => JSON.stringify(value);
const changes = (path: string, base: string | null, result: string | null): boolean =>
  isManifestOfTests(path, { base, result });

const PACKAGE = { name: 'a', main: 'index.js', scripts: { test: 'node --test' } };
const ofPackage = (more: object): boolean =>
  changes('packages/a/package.json', json(PACKAGE), json({ ...PACKAGE, ...more }));

describe('a changed package.json', () => {
  it.each([
    { scripts: { test: 'vitest run', coverage: 'c8 npm test' } },
    { devDependencies: { vitest: '5' } },
    { jest: { testEnvironment: 'node' } },
    { main: 'index.js' },
  ])('is there for tests: %j', (more) => {
    expect(ofPackage(more)).toBe(true);
  });

  it.each([
    { exports: './other.js' },
    { main: 'other.js' },
    { type: 'module' },
    { dependencies: { left: '1' } },
    { overrides: { left: '2' } },
    { devDependencies: { vitest: '5' }, bin: 'a.js' },
  ])('changes more than tests: %j', (more) => {
    expect(ofPackage(more)).toBe(false);
  });

  it('may be new, with a name', () => {
    const fresh = { name: 'a', version: '1.0.0', private: true, scripts: { test: 'node --test' } };
    expect(changes('package.json', null, json(fresh))).toBe(true);
    expect(changes('package.json', null, json({ ...fresh, type: 'module' }))).toBe(false);
  });

  it('changes more if it is removed, or no longer JSON', () => {
    expect(changes('package.json', json(PACKAGE), null)).toBe(false);
    expect(changes('package.json', json(PACKAGE), '{')).toBe(false);
  });
});

describe('another changed manifest', () => {
  const PROJECT = '[project]\nname = "a"\n';

  it.each([
    ['pyproject.toml', PROJECT, `${PROJECT}\n[tool.pytest.ini_options]\naddopts = "-q"\n`],
    ['pyproject.toml', PROJECT, `${PROJECT}\n[dependency-groups]\ndev = ["pytest"]\n`],
    ['Cargo.toml', '[package]\nname = "a"\n', '[package]\nname = "a"\n\n[dev-dependencies]\nproptest = "1"\n'],
    ['composer.json', json({ name: 'a' }), json({ name: 'a', 'require-dev': { phpunit: '12' } })],
    ['requirements.txt', 'flask==3\n', 'flask==3\npytest==9\n'],
    ['go.mod', 'module a\n', 'module a\nrequire testify v1\n'],
  ])('is there for tests: %s', (path, base, result) => {
    expect(changes(path, base, result)).toBe(true);
  });

  it.each([
    ['pyproject.toml', PROJECT, `${PROJECT}dependencies = ["left"]\n`],
    ['Cargo.toml', '[package]\nname = "a"\n', '[package]\nname = "a"\n\n[dependencies]\nleft = "1"\n'],
    ['composer.json', json({ name: 'a' }), json({ name: 'a', require: { left: '1' } })],
    ['requirements.txt', 'flask==3\n', 'flask==2\npytest==9\n'],
  ])('changes more than tests: %s', (path, base, result) => {
    expect(changes(path, base, result)).toBe(false);
  });
});
