import { describe, expect, it } from 'vitest';
import { withTestSettings } from './test-settings.js';

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const merge = (base: object, result: object, verified: readonly string[] = ['test']): unknown => {
  const text = withTestSettings('package.json', { base: json(base), result: json(result), verified });
  return text === null ? null : JSON.parse(text);
};
const toml = (base: string, result: string, path = 'pyproject.toml'): string | null =>
  withTestSettings(path, { base, result, verified: [] });

describe('withTestSettings: package.json', () => {
  it.each(['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap'])('takes %s from the base', (key) => {
    const base = { name: 'a', [key]: { timeout: 1 } };
    const result = { name: 'a', dependencies: { left: '1' }, [key]: { testPathIgnorePatterns: ['price'] } };
    expect(merge(base, result)).toEqual({ name: 'a', dependencies: { left: '1' }, [key]: { timeout: 1 } });
  });

  it('removes settings that the base does not have', () => {
    expect(merge({ name: 'a' }, { name: 'a', jest: { testPathIgnorePatterns: ['price'] } })).toEqual({ name: 'a' });
  });

  it('keeps new scripts for checks, unless they run beside one of the base', () => {
    const versions = {
      base: json({ scripts: { test: 'node --test' } }),
      result: json({ scripts: { test: 'true', pretest: 'true', posttest: 'true', units: 'echo d', 'test:all': 'x' } }),
    };
    const text = withTestSettings('package.json', { ...versions, verified: ['test'], keepsNewScripts: true });
    expect(JSON.parse(text ?? '')).toEqual({ scripts: { test: 'node --test', units: 'echo d', 'test:all': 'x' } });
  });

  it('takes scripts that run tests from the base, and removes new ones', () => {
    const base = { scripts: { test: 'npm run unit', unit: 'vitest run', build: 'tsc', lint: 'eslint .' } };
    const scripts = { test: 'true', unit: 'true', pretest: 'rm -r test', build: 'tsup', lint: 'true', docs: 'typedoc' };
    expect(merge(base, { scripts }, ['test', 'lint'])).toEqual({
      scripts: { ...base.scripts, build: 'tsup', docs: 'typedoc' },
    });
  });

  it('changes nothing if only dependencies and other scripts changed', () => {
    const base = { scripts: { test: 'node --test' }, dependencies: {} };
    const result = { scripts: { test: 'node --test', docs: 'typedoc' }, dependencies: { left: '1' } };
    expect(merge(base, result)).toBeNull();
  });

  it.each(['{', '[]', '"x"', 'null'])('takes the whole file of the base if the new one is %s', (result) => {
    const base = json({ scripts: { test: 'node --test' } });
    expect(withTestSettings('package.json', { base, result, verified: [] })).toBe(base);
  });

  it('takes the whole file of the base if the new one is gone', () => {
    expect(withTestSettings('a/package.json', { base: '{}', result: null, verified: [] })).toBe('{}');
  });
});

describe('withTestSettings: sections', () => {
  const PROJECT = '[project]\nname = "a"\ndependencies = [\n  "left",\n]\n';
  const OLD = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n';

  it.each([
    ['--deselect', '[tool.pytest.ini_options]\naddopts = "--deselect tests/test_price.py"\n'],
    ['-k', '[tool.pytest.ini_options]\naddopts = [\n  "-k",\n  "not price",\n]\n'],
    ['another spelling', '[ tool . "pytest" . ini_options ]\naddopts = "-k x"\n'],
    ['coverage', '[tool.coverage.run]\nomit = ["*"]\n'],
  ])('takes settings from the base and dependencies from the result: %s', (_title, settings) => {
    const merged = toml(OLD, `${settings}${PROJECT}`);
    expect(merged).toContain('"left"');
    expect(merged).toContain('[tool.pytest.ini_options]\ntestpaths = ["tests"]');
    expect(merged).not.toMatch(/addopts|omit/);
  });

  it('removes settings that the base does not have', () => {
    expect(toml('[project]\nname = "a"\n', `${PROJECT}[tool.pytest.ini_options]\naddopts = "-k x"\n`)).toBe(PROJECT);
  });

  it.each([
    'tool.pytest.ini_options.addopts = "-k x"\n[project]\nname = "a"\n',
    '[tool]\npytest.ini_options.addopts = "-k x"\n',
    '[tool]\npytest = { ini_options = { addopts = "-k x" } }\n',
    'tool = { pytest = { ini_options = { addopts = "-k x" } } }\n',
  ])('takes the whole file of the base if the settings are hidden elsewhere: %j', (result) => {
    expect(toml(OLD, result)).toBe(OLD);
  });

  it('does not take a dependency on a runner for a setting', () => {
    expect(toml(OLD, `${OLD}[tool.poetry.group.dev.dependencies]\npytest = "^8"\n`)).toBeNull();
  });

  it('reads setup.cfg in the same way', () => {
    const merged = toml('[metadata]\nname = a\n', '[metadata]\nname = b\n[tool:pytest]\naddopts = -k x\n', 'setup.cfg');
    expect(merged).toBe('[metadata]\nname = b\n');
  });

  it('changes nothing if the settings are the same', () => {
    expect(toml(OLD, OLD.replace('"a"', '"b"'))).toBeNull();
  });
});

it.each(['Cargo.toml', 'go.mod', 'src/a.mjs'])('leaves %s alone', (path) => {
  expect(withTestSettings(path, { base: 'a', result: 'b', verified: [] })).toBeNull();
});
