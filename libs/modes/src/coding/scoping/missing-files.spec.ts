import { describe, expect, it } from 'vitest';
import { findMissingFiles, findWrongImport } from './missing-files.js';

const KEPT = ['.qralph-checks/a.mjs', 'check-weeks.test.js'];

const find = (command: string, missing: readonly string[] = [], unkept: readonly string[] = []) =>
  findMissingFiles({
    check: { command, files: KEPT.map((path) => ({ path, content: '' })) },
    ...{ missing, unkept },
  });

describe('a file that a check lacks', () => {
  it.each([
    ['is named by its command', 'node .qralph-checks/b.mjs', '.qralph-checks/b.mjs'],
    ['is named with the way to it', 'cd web && node --test "../.qralph-checks/b.test.js"', '.qralph-checks/b.test.js'],
    ['lies in a folder that was not kept', 'pytest .qralph-checks/tests', '.qralph-checks/tests'],
  ])('%s', (_title, command, path) => {
    expect(find(command)).toEqual([path]);
  });

  it('is missing in its run', () => {
    expect(find('node .qralph-checks/a.mjs', ['/w/.qralph-checks/helper.mjs'])).toEqual(['.qralph-checks/helper.mjs']);
    expect(find('cd .qralph-checks && node b.mjs', ['file:///w/.qralph-checks/b.mjs'])).toEqual([
      '.qralph-checks/b.mjs',
    ]);
  });

  it('is one that its author named, and its command or its run needs', () => {
    const unkept = ['spec/large.test.js', 'spec/other.js'];
    expect(find('node --test spec/large.test.js', [], unkept)).toEqual(['spec/large.test.js']);
    expect(find('node check-weeks.test.js', ['/w/spec/other'], unkept)).toEqual(['spec/other.js']);
  });
});

describe('nothing is lacking', () => {
  it.each([
    ['if its files were kept', 'cd .qralph-checks && node ./.qralph-checks/a.mjs && node --test check-weeks.test.js'],
    ['if its command names files by a pattern', 'node --test .qralph-checks/a*.mjs .qralph-checks/*.mjs'],
    ['if its command makes the file', 'mkdir -p x .qralph-checks/out && node main.js > .qralph-checks/log'],
    ['if a name only begins alike', 'node my.qralph-checks/b.mjs'],
  ])('%s', (_title, command) => {
    expect(find(command)).toEqual([]);
  });

  it('if what is missing is for the change to add', () => {
    expect(find('node .qralph-checks/a.mjs', ['/w/src/theme.mjs', '../theme.js', 'darken'])).toEqual([]);
  });

  it('if its author named a file that nothing needs', () => {
    expect(find('node .qralph-checks/a.mjs', ['largest.js'], ['large.js', 'est.js'])).toEqual([]);
  });
});

describe('a wrong relative import of a check', () => {
  const path = '.qralph-checks/months.test.cjs';
  const seek = (
    content: string,
    missing: readonly string[],
    more: { path?: string; unkept?: readonly string[] } = {},
  ) =>
    findWrongImport({
      check: { command: `node ${path}`, files: [{ path: more.path ?? path, content }, helper] },
      ...{ missing, unkept: more.unkept ?? [] },
    });
  const helper = { path: '.qralph-checks/helper.js', content: '' };

  it.each([
    ['a required module', "const ms = require('./index.js');", './index.js'],
    ['a module without its ending', 'const ms = require("./index");', './index'],
    ['an imported module', "import ms from './index.js';", '/w/.qralph-checks/index.js'],
    ['a module imported for its effects', "import './index.js';", 'file:///w/.qralph-checks/index.js'],
    ['a module that is imported later', "await import('./index.js');", '/w/.qralph-checks/index.js'],
  ])('is told with the right path: %s', (_title, content, missing) => {
    const said = seek(content, [missing]) ?? '';
    expect(said).toContain(`${path} loads "./index`);
    expect(said).toMatch(/is "\.\.\/index(?:\.js)?" there/);
  });

  it('may lead out of the repository', () => {
    expect(seek("require('../../lib/index.js');", ['../../lib/index.js'])).toContain('is "../lib/index.js" there');
  });

  it('is none if the change may add the file, or the check has it', () => {
    expect(seek("require('../src/theme.js');", ['../src/theme.js'])).toBeNull();
    expect(seek("require('./theme.js');", ['./theme.js'], { path: 'theme.test.js' })).toBeNull();
    expect(seek("require('./helper');", ['./theme.js'])).toBeNull();
    expect(seek("require('../index.js');", ['./index.js'])).toBeNull();
    expect(seek("readFileSync('./index.js');", ['./index.js'])).toBeNull();
    expect(seek("require('./index.js');", [])).toBeNull();
    expect(seek("require('./large.js');", ['./large.js'], { unkept: ['.qralph-checks/large.js'] })).toBeNull();
  });
});
